import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyInstance, onRequestAsyncHookHandler } from 'fastify';
import type pg from 'pg';
import { fieldsOf, textOf } from './provider.ts';
import { findWebsiteChatbot, saveWebsiteChatbot } from './store.ts';

const FOLDER = join(import.meta.dirname, 'website');
const ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

type Options = {
  /** Base URL of the portal, which serves the widget; null when the sandbox runs without one. */
  portalUrl: string | null;
  /** Passed by who sets the chatbot. */
  onRequest: onRequestAsyncHookHandler;
};

/**
 * The website of a made-up business at `/sandbox/website`, on another origin than the portal, as the website of a client is. It carries the
 * script tag of one chatbot: of the query's `chatbot`, or else of the last `PUT /sandbox/website` with `{ chatbotId }`.
 */
export function addWebsite(app: FastifyInstance, pool: pg.Pool, { portalUrl, onRequest }: Options): void {
  const page = readFileSync(join(FOLDER, 'index.html'), 'utf8');
  const files: [string, string][] = [
    ['style.css', 'text/css; charset=utf-8'],
    ['mark.svg', 'image/svg+xml'],
  ];
  for (const [name, type] of files) {
    const content = readFileSync(join(FOLDER, name), 'utf8');
    app.get(`/sandbox/website/${name}`, (_request, reply) => reply.type(type).send(content));
  }
  app.put('/sandbox/website', { onRequest }, async (request, reply) => {
    const chatbotId = textOf(fieldsOf(request.body)['chatbotId']);
    if (!ID.test(chatbotId)) return reply.status(400).send({ message: 'Send { "chatbotId": "…" }' });
    await saveWebsiteChatbot(pool, chatbotId);
    return reply.status(204).send();
  });
  app.get<{ Querystring: { chatbot?: string } }>('/sandbox/website', async (request, reply) => {
    const asked = textOf(request.query.chatbot);
    const chatbotId = ID.test(asked) ? asked : await findWebsiteChatbot(pool);
    const hasWidget = portalUrl !== null && chatbotId !== null;
    reply.header('content-security-policy', policy(portalUrl));
    return reply
      .type('text/html; charset=utf-8')
      .send(
        page
          .replace('<!-- widget -->', () => (hasWidget ? scriptTag(portalUrl, chatbotId) : ''))
          .replace('<!-- note -->', () => (hasWidget ? '' : NOTE)),
      );
  });
}

const NOTE = '<p>This page has no chatbot yet. Open it with ?chatbot= and the id in the script tag of a chatbot.</p>';

function scriptTag(portalUrl: string, chatbotId: string): string {
  return `<script async src="${escapeText(`${portalUrl}/widget.js`)}" data-chatbot="${escapeText(chatbotId)}"></script>`;
}

/** A strict policy, as a careful website has: the widget must work without inline scripts or styles. */
function policy(portalUrl: string | null): string {
  const portal = portalUrl === null ? "'none'" : new URL(portalUrl).origin;
  return [
    "default-src 'none'",
    "style-src 'self'",
    "img-src 'self'",
    `script-src ${portal}`,
    `connect-src ${portal}`,
    `frame-src ${portal}`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
}

function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
}
