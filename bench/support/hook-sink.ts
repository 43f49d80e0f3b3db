import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { clockMs } from './clock.ts';

/** The receiver of webhooks, in a separate process: responds immediately, except to `/hang`, to which it never responds. */

/** Since the last request: how many arrived, and when each event arrived first (milliseconds of the machine's clock). */
export type SinkAnswer = { port: number; count: number; arrivals: [eventId: string, at: number][] };

const ID_AT = '{"id":"'.length;
const ID_LENGTH = 30;
let arrivals = new Map<string, number>();
let count = 0;

const server = createServer((request, response) => {
  const at = clockMs();
  let first: Buffer | undefined;
  request.on('data', (chunk: Buffer) => (first ??= chunk));
  request.on('end', () => {
    if (request.url === '/hang') return;
    count += 1;
    const id = first?.toString('latin1', ID_AT, ID_AT + ID_LENGTH) ?? '';
    if (!arrivals.has(id)) arrivals.set(id, at);
    response.end('ok');
  });
});

process.once('message', () => {
  server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port })); // listening on TCP
  process.on('message', () => {
    process.send?.({ port: 0, count, arrivals: [...arrivals] } satisfies SinkAnswer);
    arrivals = new Map();
    count = 0;
  });
});
process.on('disconnect', () => process.exit(0));
