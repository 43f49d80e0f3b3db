import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createBatcher } from '@partner-portal/service/platform/batch.ts';
import pg from 'pg';

/** The bare probe: the upper limit of this machine. One micro-batched, durable INSERT per request, nothing else. */

type Setup = { address: pg.PoolConfig };

process.once('message', (setup: Setup) => void start(setup));
process.on('disconnect', () => process.exit(0));

async function start(setup: Setup): Promise<void> {
  const pool = new pg.Pool({ ...setup.address, max: 4 });
  const batcher = createBatcher<string, true>({
    run: async (bodies) => {
      await pool.query({ name: 'probe', text: 'insert into probe (body) select b from unnest($1::jsonb[]) b', values: [bodies] });
      return bodies.map(() => true as const);
    },
    itemsMax: 300,
    inFlightMax: 2,
    isPoison: () => false,
  });
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      batcher.add(Buffer.concat(chunks).toString()).then(
        () => response.writeHead(202, { 'content-type': 'application/json' }).end('{"accepted":true}'),
        () => response.writeHead(500).end(),
      );
    });
  });
  server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port })); // listening on TCP
}
