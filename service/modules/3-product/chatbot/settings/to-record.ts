import type { ClientRef } from '#modules/2-tenancy/clients/index.ts';
import { defaultsOf } from './defaults.ts';
import type { ChatbotRow } from './store.ts';

/** The record of a chatbot; of a client that has none yet, its defaults. */
export function toChatbotRecord(publicBaseUrl: string, client: ClientRef, row: ChatbotRow | undefined) {
  if (!row) return { ...defaultsOf(client), id: null, clientId: client.id, snippet: null, updatedAt: null };
  const { partnerId: _, ...record } = row;
  return { ...record, snippet: snippetOf(publicBaseUrl, row.id) };
}

/** The script tag that puts the chatbot on a website. */
export function snippetOf(publicBaseUrl: string, chatbotId: string): string {
  return `<script async src="${publicBaseUrl}/widget.js" data-chatbot="${chatbotId}"></script>`;
}
