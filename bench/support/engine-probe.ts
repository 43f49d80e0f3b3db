import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Pool } from 'undici';

/** The bare worker: accepts an event and makes the same two POSTs. Nothing is stored, checked, logged or sandboxed. */

type Setup = { sink: string };

process.once('message', (setup: Setup) => start(setup));
process.on('disconnect', () => process.exit(0));

function start({ sink }: Setup): void {
  const pool = new Pool(sink, { connections: 128 });
  const post = async (path: string, body: string): Promise<void> => {
    const answer = await pool.request({ path, method: 'POST', headers: { 'content-type': 'application/json' }, body });
    await answer.body.dump();
  };
  const work = async (text: string): Promise<void> => {
    const event = JSON.parse(text) as { n: number }; // the bench's own event
    const body = JSON.stringify({ n: event.n });
    await post('/first', body);
    await post('/last', body);
  };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
      void work(Buffer.concat(chunks).toString());
    });
  });
  server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port })); // listening on TCP
}
