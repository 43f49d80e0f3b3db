import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import type { FrameLocator, Locator, Page } from '@playwright/test';
import { freePort } from '../harness/free-port.ts';

/** A plain HTML page of a business, on an origin of its own, that carries the script of the portal at `portal`. */
export type Website = { origin: string; close(): Promise<void> };

/**
 * Serves a website. Paths: `/` carries the script for `chatbotId`, `/twice` two of them, `/plain` none, `/rtl` reads from right to left. `/snippet` has `snippet`
 * as the portal shows it, `/other-bytes` the same with the digest of another script.
 */
export async function openWebsite(portal: string, chatbotId: string, snippet = ''): Promise<Website> {
  const port = await freePort();
  const tag = `<script async src="${portal}/widget.js" data-chatbot="${chatbotId}"></script>`;
  const tags: Record<string, string> = {
    '/plain': '',
    '/twice': `${tag}${tag}`,
    '/snippet': snippet,
    '/other-bytes': snippet.replace(/integrity="sha384-./, (start) => `${start.slice(0, -1)}${start.endsWith('A') ? 'B' : 'A'}`),
  };
  const server: Server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://site').pathname;
    response.writeHead(200, {
      'content-type': 'text/html; charset=utf-8',
      // A strict policy: no inline script, no inline style, nothing of others but the chat.
      'content-security-policy': `default-src 'none'; script-src ${portal}; frame-src ${portal}; img-src data:`,
    });
    response.end(`<!doctype html><html lang="en" dir="${path === '/rtl' ? 'rtl' : 'ltr'}"><head><meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1"><link rel="icon" href="data:,"><title>Oak Street Dental</title></head>
      <body><main><h1>Oak Street Dental</h1><p>We look after your teeth.</p><a href="/other">Prices</a></main>
      ${tags[path] ?? tag}</body></html>`);
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    origin: `http://127.0.0.1:${port}`,
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

/** The chat as a visitor meets it: the launcher of the page and what is in the frame. */
export function chatOf(page: Page): { launcher: Locator; frame: FrameLocator; field: Locator; log: Locator } {
  const frame = page.frameLocator('iframe');
  return {
    launcher: page.getByRole('button', { name: /the chat with/ }),
    frame,
    field: frame.getByRole('textbox', { name: /^Message to/ }),
    log: frame.getByRole('log'),
  };
}
