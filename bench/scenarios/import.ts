import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import { clientImportResult } from '@partner-portal/contract/records/client-import.ts';
import { clients } from '@partner-portal/service/modules/2-tenancy/clients/index.ts';
import type { Actor } from '@partner-portal/service/platform/actor.ts';
import { systemClock } from '@partner-portal/service/platform/clock.ts';
import { createComputePool } from '@partner-portal/service/platform/compute/compute-pool.ts';
import { createPool } from '@partner-portal/service/platform/db/pool.ts';
import { createDatabase } from '@partner-portal/service/platform/db/tx.ts';
import { createFacts } from '@partner-portal/service/platform/facts.ts';
import type { RequestContext } from '@partner-portal/service/platform/http/context.ts';
import { createCursors } from '@partner-portal/service/platform/http/cursor.ts';
import { newId } from '@partner-portal/service/platform/ids.ts';
import { Secret } from '@partner-portal/service/platform/secret.ts';
import { consequences } from '@partner-portal/service/wiring/consequences.ts';
import { seedWorld } from '@partner-portal/tests/harness/world.ts';
import type { BenchDatabase } from '../support/database.ts';

const DAY_MS = 86_400_000;

/** A file of clients: checked, imported, sent again, imported with a change in every row, undone; seconds, longest hold of the event loop, memory. */
export async function benchImport(database: BenchDatabase, say: (line: string) => void, rows = 5_000): Promise<void> {
  const pool = createPool(database.addressOf('portal_service'), { name: 'bench', max: 8 });
  const facts = createFacts();
  const db = createDatabase(pool, facts);
  facts.register(consequences({ notify: async () => undefined, agentRequests: null, baseUrl: 'http://portal.bench' }));
  const world = await seedWorld(db);
  await db.asSystem('seed', (tx) =>
    tx
      .updateTable('subscription')
      .set({ overrides: JSON.stringify({ includedClients: 10 * rows }) })
      .where('partnerId', '=', world.partnerId)
      .execute(),
  );
  const compute = createComputePool({ waitMs: 60_000 });
  const cursors = createCursors(new Secret('c'.repeat(48)));
  // An import mails no one and counts no call.
  const unused = {} as Pick<Parameters<typeof clients>[0], 'mail' | 'limits' | 'invitationCaps'>;
  const { routes } = clients({
    ...unused,
    firstContactsPerHour: 60,
    db,
    cursors,
    compute,
    clock: systemClock,
    baseUrl: 'http://portal.bench',
  });
  const now = new Date();
  const session = {
    jti: newId(),
    issuedAt: now,
    expiresAt: new Date(now.getTime() + DAY_MS),
    readOnly: false,
    actingUserId: null,
    whileSuspended: false,
  };
  const actor: Actor = { kind: 'user', ...world.people.owner, authMethod: 'password', ...session };
  const contextOf = (bytes: Buffer<ArrayBuffer>) =>
    ({
      actor,
      caller: actor,
      requestId: newId(),
      address: '127.0.0.1',
      userAgent: 'bench',
      now: new Date(),
      header: () => undefined,
      upload: { fields: {}, file: { filename: 'clients.csv', declaredType: 'text/csv', bytes } },
    }) as unknown as RequestContext; // what an import reads of it
  const send = async (file: Buffer<ArrayBuffer>, dryRun: boolean): Promise<{ import: { id: string } | null }> => {
    const result = await routes.importClients({ params: {}, query: {}, body: { dryRun, mode: 'all', hasHeader: true } }, contextOf(file));
    const reply = clientImportResult.parse(JSON.parse(JSON.stringify(result)));
    JSON.stringify(reply);
    return reply;
  };
  const first = fileOf(rows, 'before');
  const second = fileOf(rows, 'after');
  say(`${rows} rows, ${(first.length / 1_048_576).toFixed(1)} MiB`);
  const measured = async <T>(what: string, work: () => Promise<T>): Promise<T> => {
    const delay = monitorEventLoopDelay({ resolution: 1 });
    let rss = 0;
    const watch = setInterval(() => void (rss = Math.max(rss, process.memoryUsage.rss())), 5);
    const before = process.memoryUsage.rss();
    delay.enable();
    const from = performance.now();
    const result = await work();
    const seconds = (performance.now() - from) / 1_000;
    delay.disable();
    clearInterval(watch);
    say(
      `${what.padEnd(34)} ${seconds.toFixed(2)} s, longest hold ${(delay.max / 1e6).toFixed(0)} ms, memory ${mib(before)} → ${mib(Math.max(rss, before))} MiB`,
    );
    return result;
  };
  try {
    await send(fileOf(10, 'warm'), true);
    await measured('dry run', () => send(first, true));
    await measured('import, all new', () => send(first, false));
    await measured('the same again, all unchanged', () => send(first, false));
    const made = await measured('import, all changed', () => send(second, false));
    await measured('undo, all restored', async () =>
      routes.undoClientImport({ params: { id: made.import?.id ?? '' }, query: {}, body: undefined }, contextOf(first)),
    );
    const others = await send(fileOf(rows, 'before', 'other'), false);
    await measured('undo, all removed', async () =>
      routes.undoClientImport({ params: { id: others.import?.id ?? '' }, query: {}, body: undefined }, contextOf(first)),
    );
  } finally {
    await compute.close();
    await pool.end();
  }
}

function fileOf(rows: number, note: string, prefix = 'shop'): Buffer<ArrayBuffer> {
  const lines = Array.from(
    { length: rows },
    (_, n) =>
      `${prefix} ${n};Ann ${n};${prefix}${n}@shop.example;+1 312 555 ${n};https://shop${n}.example;Europe/Berlin;de;Bakery;${prefix}-${n};${note} ${'x'.repeat(400)};"Mon-Fri 9-17\nSat 10-14"`,
  );
  return Buffer.from(`Name;Contact;E-mail;Phone;Website;Time zone;Language;Industry;Reference;Notes;Opening hours\n${lines.join('\n')}\n`);
}

function mib(bytes: number): string {
  return (bytes / 1_048_576).toFixed(0);
}
