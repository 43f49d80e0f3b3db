import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Pool } from 'undici';
import type { ChatUsage } from './chat-service.ts';

/** The bare probe of conversations: passes a model's stream on to its reader and does nothing else. */

process.once('message', ({ modelsUrl }: { modelsUrl: string }) => {
  const pool = new Pool(modelsUrl, { connections: 256 });
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      void pool
        .request({ path: '/chat/completions', method: 'POST', body: Buffer.concat(chunks) })
        .then(({ body }) => body.pipe(response))
        .catch(() => response.destroy());
    });
  });
  server.listen(0, '127.0.0.1', () => {
    const { port } = server.address() as AddressInfo; // listening on TCP
    process.send?.({ origin: `http://127.0.0.1:${port}` });
  });
  process.on('message', () => {
    const { user, system } = process.cpuUsage();
    process.send?.({ cpuMs: (user + system) / 1_000, memoryMb: process.memoryUsage.rss() / 1_048_576 } satisfies ChatUsage);
  });
});
process.on('disconnect', () => process.exit(0));
