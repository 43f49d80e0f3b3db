import { createHmac, randomBytes } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import { files, type FileOwner } from '@partner-portal/service/modules/1-ledger/files/index.ts';
import { systemClock } from '@partner-portal/service/platform/clock.ts';
import { createPool } from '@partner-portal/service/platform/db/pool.ts';
import { createDatabase } from '@partner-portal/service/platform/db/tx.ts';
import { type BenchDatabase, seedWorkflows } from '../support/database.ts';
import { startChild } from '../support/child.ts';
import type { LoadOrder, LoadResult, LoadTarget } from '../support/load.ts';
import { timingText } from '../support/measure.ts';
import type { ServiceAnswer, ServiceSetup } from '../support/service.ts';

const SECRET = 'callback-secret-of-the-bench';
const MIB = 1024 * 1024;
const LARGE = 128;
const SMALL_BYTES = 60_000;
const SECONDS = 6;
const OFFERED: LoadOrder = { kind: 'offered', connections: 64, perSecond: 200, seconds: SECONDS };

/** Rates of stored files, alone, and the latency of events with and without files that are written and read concurrently. */
export async function benchFiles(database: BenchDatabase, say: (line: string) => void): Promise<void> {
  const workflows = await seedWorkflows(database, 4, 20);
  const [partner] = await database.admin<{ id: string }>('select id from partner where not is_house order by id limit 1');
  const address = database.addressOf('portal_service');
  const setup: ServiceSetup = { address, callbackSecret: SECRET };
  const service = await startChild<ServiceSetup, { origin: string }, object, ServiceAnswer>(
    new URL('../support/service.ts', import.meta.url),
    setup,
  );
  const paths = workflows.map((id) => `/webhooks/agents/${id}?token=${createHmac('sha256', SECRET).update(`ingest:${id}`).digest('hex')}`);
  const load = await startChild<LoadTarget, { ready: true }, LoadOrder, LoadResult>(new URL('../support/load.ts', import.meta.url), {
    origin: service.ready.origin,
    paths,
    body: JSON.stringify({ callerNumber: '+13125550121', businessNumber: '+13125550100' }),
  });
  const pool = createPool(address, { name: 'bench', max: 8 });
  const { store } = files({ db: createDatabase(pool), clock: systemClock });
  const owner: FileOwner = { partnerId: partner?.id ?? '', clientId: null };
  const megabyte = randomBytes(MIB);
  async function* large(): AsyncGenerator<Uint8Array> {
    for (let n = 0; n < LARGE; n += 1) yield megabyte;
  }
  const write = () => store.write(owner, { purpose: 'export', contentType: 'application/zip' }, large());
  const small = () => store.write(owner, { purpose: 'media', contentType: 'image/png' }, [megabyte.subarray(0, SMALL_BYTES)]);
  try {
    await load.child.ask({ ...OFFERED, seconds: 2 });
    const rssBefore = rssMb();
    const [writing, file] = await timed(write);
    const [reading] = await timed(async () => {
      let bytes = 0;
      for await (const chunk of store.read(file)) bytes += chunk.length;
      return bytes;
    });
    const [many] = await timed(async () => {
      for (let n = 0; n < 200; n += 1) await small();
    });
    say(`one file of ${LARGE} MiB: written at ${(LARGE / writing).toFixed(0)} MiB/s, read at ${(LARGE / reading).toFixed(0)} MiB/s`);
    say(`files of ${SMALL_BYTES / 1_000} kB, one after another: ${(200 / many).toFixed(0)} a second`);
    say(`memory: ${rssBefore} MB before, ${rssMb()} MB after`);
    const alone = await load.child.ask(OFFERED);
    let isOver = false;
    let moved = 0;
    const beside = (async () => {
      while (!isOver) {
        const stored = await write();
        for await (const chunk of store.read(stored)) moved += 2 * chunk.length;
      }
    })();
    const together = await load.child.ask(OFFERED);
    isOver = true;
    await beside;
    say(`events at 200 a second, alone:        ${timingText(alone.timing)}`);
    say(`events at 200 a second, beside files: ${timingText(together.timing)}, ${(moved / MIB / SECONDS).toFixed(0)} MiB/s moved`);
  } finally {
    await pool.end();
    await load.child.stop();
    await service.child.stop();
  }
}

async function timed<T>(work: () => Promise<T>): Promise<[seconds: number, result: T]> {
  const startedAt = performance.now();
  const result = await work();
  return [(performance.now() - startedAt) / 1_000, result];
}

function rssMb(): number {
  return Math.round(process.memoryUsage.rss() / 1_000_000);
}
