import { newestWidget } from '@partner-portal/core/conversation/widget-versions.ts';
import type { ClientRef } from '#modules/2-tenancy/clients/index.ts';
import { defaultsOf } from '../defaults.ts';
import type { ChatbotRow } from '../store.ts';

/** The record of a chatbot; of a client that has none yet, its defaults. */
export function toChatbotRecord(publicBaseUrl: string, client: ClientRef, row: ChatbotRow | undefined) {
  if (!row) return { ...defaultsOf(client), id: null, clientId: client.id, snippet: null, isAtBudget: false, updatedAt: null };
  const { partnerId: _, ...record } = row;
  return { ...record, snippet: snippetOf(publicBaseUrl, row.id) };
}

/** The script tag that puts the chatbot on a website, which runs these bytes of the script and no others (ADR 0060). */
export function snippetOf(publicBaseUrl: string, chatbotId: string): string {
  const { path, integrity } = newestWidget();
  return `<script async src="${publicBaseUrl}${path}" integrity="${integrity}" crossorigin="anonymous" data-chatbot="${chatbotId}"></script>`;
}
