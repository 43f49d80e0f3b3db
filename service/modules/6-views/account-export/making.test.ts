import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import { LIMITS } from '@partner-portal/contract/vocabulary.ts';
import { type ExportService, startExportService, unpack } from '@partner-portal/tests/harness/exports.ts';
import { fillAccount } from '@partner-portal/tests/harness/full-account.ts';
import { until } from '@partner-portal/tests/harness/system.ts';
import pg from 'pg';
import type { FileStore } from '#modules/1-ledger/files/index.ts';
import { createExportMaker } from './make-exports.ts';

let service: ExportService;
let aheadMs = 0;
/** Replaces writing in the store of files; null writes. */
let failing: Error | null = null;
/** Accounts whose export was written, in this order, and how many were being written at once at most. */
const written = { owners: [] as (string | null)[], open: 0, most: 0 };
const lines: { msg: string; cause?: string; level: string }[] = [];
before(async () => {
  service = await startExportService({
    clock: { now: () => new Date(Date.now() + aheadMs) },
    logLine: (line) => void lines.push(JSON.parse(line)),
    files: ({ store }): FileStore => ({
      ...store,
      async write(owner, file, bytes, options) {
        if (failing) throw failing;
        written.owners.push(owner.clientId ?? owner.partnerId);
        written.most = Math.max(written.most, (written.open += 1));
        try {
          return await store.write(owner, file, bytes, options);
        } finally {
          written.open -= 1;
        }
      },
    }),
  });
  const { partnerId, clientId, people } = service.world;
  await fillAccount(service, { partnerId, clientId, userId: people.clientUser.userId }, 'OWN');
});
after(() => service.close());
beforeEach(async () => {
  failing = null;
  lines.length = 0;
  await service.query('delete from account_export');
  await service.query(`delete from file where purpose = 'export'`);
});

/** Lets go what a failed test still holds, which would hold up the next one. */
let letGo = async (): Promise<void> => undefined;
afterEach(() => letGo());

const request = async (): Promise<string> =>
  (await service.call('POST', '/account-export', { as: 'owner', body: { scope: 'partner' } })).body.id;
const stateOf = async (id: string) =>
  (await service.query('select status, tries, percent, error from account_export where id = $1', [id]))[0];
const countFiles = async (): Promise<number> => (await service.query(`select id from file where purpose = 'export'`)).length;

/** Holds every export at the kind `media`, the last one, until it is let go. */
async function holdAtMedia(): Promise<{ reached: () => Promise<void>; pid: () => Promise<number>; letGo: () => Promise<void> }> {
  const client = new pg.Client({ ...service.database.host.adminConfig, database: service.database.name });
  await client.connect();
  await client.query('begin');
  await client.query('lock table media in access exclusive mode');
  const waiting = () =>
    service.query<{ pid: number }>(
      `select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like '%from media%'`,
    );
  letGo = async () => {
    letGo = async () => undefined;
    await client.end();
  };
  return {
    reached: async () => void (await until('the export has come to media', async () => (await waiting()).length > 0)),
    pid: async () => (await waiting())[0]?.pid ?? 0,
    letGo: () => letGo(),
  };
}

describe('an export is one moment', () => {
  it('while others write: no record whose parent is missing, and nothing of what came later', async () => {
    const { partnerId, clientId } = service.world;
    const id = await request();
    const hold = await holdAtMedia();
    const making = service.exports.makeDue();
    await hold.reached();
    // Before media were read: a person, a run and its usage, and a line of the audit log, all committed.
    await service.query(
      `with w as (insert into workflow (partner_id, client_id, template_name, template_version, name) values ($1, $2, 'lead-qualifier', 1, 'LATER agent') returning id),
        e as (insert into execution (id, partner_id, client_id, workflow_id, source, summary, template_version, credits_held, due_at)
          select uuidv7(), $1, $2, w.id, 'test', 'LATER run', 1, 0, now() from w returning id, workflow_id)
       insert into usage_entry (id, partner_id, client_id, kind, credits, execution_id, workflow_id, note) select uuidv7(), $1, $2, 'run', -1, e.id, e.workflow_id, 'LATER usage' from e`,
      [partnerId, clientId],
    );
    const file = await service.files.store.write(
      { partnerId, clientId },
      { purpose: 'media', contentType: 'image/png' },
      one(Buffer.from('LATER')),
    );
    const later = new pg.Client({ ...service.database.host.adminConfig, database: service.database.name });
    await later.connect();
    const inserted = later.query(
      `insert into media (partner_id, client_id, purpose, key, filename, content_type, size_bytes, file_id) values ($1, $2, 'general', $3, 'LATER.png', 'image/png', 5, $4)`,
      [partnerId, clientId, 'k'.repeat(40), file.id],
    );
    await hold.letGo();
    await inserted;
    await later.end();
    await making;
    const made = await service.unpack('owner', id);
    assert.ok(!made.text.includes('LATER'));
    const runs = new Set(made.rows('runs').map((row) => row['id']));
    assert.ok(made.rows('usage').every((row) => row['executionId'] === null || runs.has(row['executionId'])));
    const next = await service.exported('owner', { scope: 'partner' });
    assert.ok((await service.unpack('owner', next.id)).text.includes('LATER'), 'the next one holds it');
  });

  it('held by no transaction while it is downloaded slowly', async () => {
    const { id } = await service.exported('owner', { scope: 'partner' });
    const response = await service.download('owner', id);
    // Each part that is read ahead has a short transaction of its own; one that held the file would last as long as the download.
    const open = `select from pg_stat_activity where datname = current_database() and state like 'idle in transaction%' and pid <> pg_backend_pid()`;
    await until('no transaction is open', async () => (await service.query(open)).length === 0);
    await unpack(Buffer.from(await response.arrayBuffer()));
  });

  it('whose progress only grows', async () => {
    await service.query(
      `insert into usage_entry (id, partner_id, kind, credits) select uuidv7(), $1, 'grant', 1 from generate_series(1, 5000)`,
      [service.world.partnerId],
    );
    const id = await request();
    const seen: number[] = [];
    const watching = service.exports.makeDue().then(() => seen.push(-1));
    while (seen.at(-1) !== -1) {
      const state = await stateOf(id);
      if (seen.at(-1) !== -1) seen.push(Number(state?.['percent']));
    }
    await watching;
    seen.pop();
    assert.deepEqual(
      seen,
      seen.toSorted((a, b) => a - b),
    );
    assert.deepEqual(await stateOf(id), { status: 'ready', tries: 1, percent: 100, error: null });
    await service.query(`delete from usage_entry where kind = 'grant'`);
  });
});

describe('an export that is interrupted', () => {
  it('by the death of its process is made again by another one: one result, nothing left over', async () => {
    const id = await request();
    const hold = await holdAtMedia();
    const child = fork(new URL('../../../../tests/harness/export-process.ts', import.meta.url), {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    child.send({ address: service.database.configFor('portal_service') });
    await once(child, 'message');
    child.send({});
    await hold.reached();
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
    await hold.letGo();
    await service.exports.makeDue();
    assert.equal((await stateOf(id))?.['status'], 'running', 'its lease has not ended');
    aheadMs += 61_000;
    await service.exports.sweep();
    await service.exports.makeDue();
    assert.deepEqual(await stateOf(id), { status: 'ready', tries: 2, percent: 100, error: null });
    await service.unpack('owner', id);
    aheadMs += LIMITS.exportDays * 86_400_000 - 3_600_000;
    await service.files.sweep();
    assert.equal(await countFiles(), 1, 'the incomplete file is swept, the result is not');
  });

  it('by a shutdown ends at once, also in the middle of a statement, is given back at once and does not count', async () => {
    const own = await startOnSameDatabase();
    const id = await request();
    const hold = await holdAtMedia();
    const making = own.exports.makeDue();
    await hold.reached();
    // The statement under way waits for a lock that is let go only below.
    await own.exports.stop();
    await making;
    assert.deepEqual(await stateOf(id), { status: 'pending', tries: 0, percent: 0, error: null });
    await hold.letGo();
    assert.equal(await countFiles(), 0);
    await service.exports.makeDue();
    assert.equal((await stateOf(id))?.['status'], 'ready');
    await own.close();
  });

  it('by a lost connection is tried again later, and the log says it was the database', async () => {
    const id = await request();
    const hold = await holdAtMedia();
    const making = service.exports.makeDue();
    await hold.reached();
    await service.query('select pg_terminate_backend($1)', [await hold.pid()]);
    await making;
    await hold.letGo();
    assert.deepEqual(await stateOf(id), { status: 'pending', tries: 1, percent: 0, error: null });
    assert.equal(await countFiles(), 0);
    assert.equal(lines.find(({ cause }) => cause !== undefined)?.cause, 'database');
    await service.exports.makeDue();
    assert.equal((await stateOf(id))?.['status'], 'pending', 'not before its time');
    aheadMs += 30_000;
    await service.exports.makeDue();
    assert.deepEqual(await stateOf(id), { status: 'ready', tries: 2, percent: 100, error: null });
  });

  it('by the removal of its account leaves no file', async () => {
    const id = await request();
    const hold = await holdAtMedia();
    const making = service.exports.makeDue();
    await hold.reached();
    await service.query('delete from account_export where id = $1', [id]);
    await hold.letGo();
    await making;
    assert.equal(await countFiles(), 0);
  });
});

describe('an export that fails', () => {
  it('three times ends as failed, with a reason for people and its cause in the log', async () => {
    for (const [error, cause, text] of [
      [Object.assign(new Error('could not extend file'), { code: '53100' }), 'disk_full', /not enough room/],
      [Object.assign(new Error('terminating connection'), { code: '57P01' }), 'database', /database did not answer/],
      [new TypeError('x is not a function'), 'bug', /error on our side/],
    ] as const) {
      await service.query('delete from account_export');
      lines.length = 0;
      failing = error;
      const id = await request();
      for (let attempt = 0; attempt < 3; attempt += 1) {
        await service.exports.makeDue();
        aheadMs += 120_000;
      }
      const state = await stateOf(id);
      assert.deepEqual([state?.['status'], state?.['tries']], ['failed', 3]);
      assert.match(String(state?.['error']), text);
      assert.deepEqual(
        lines.filter((line) => line.cause !== undefined).map((line) => line.cause),
        [cause, cause, cause],
      );
      failing = null;
      assert.equal((await service.exported('owner', { scope: 'partner' })).status, 'ready', 'another one may be requested');
    }
  });
});

describe('an export whose process ends at it', () => {
  const endedWith = async (tries: number): Promise<string> => {
    const id = await request();
    await service.query(
      `update account_export set status = 'running', tries = $2, claimed_by = uuidv7(), started_at = now(), lease_until = now() - interval '1 second' where id = $1`,
      [id, tries],
    );
    aheadMs += 61_000;
    await service.exports.makeDue();
    await service.exports.sweep();
    await service.exports.makeDue();
    return id;
  };

  it('three times ends as failed, and is made by no one again', async () => {
    const failed = await endedWith(3);
    const state = await stateOf(failed);
    assert.deepEqual([state?.['status'], state?.['tries']], ['failed', 3]);
    assert.match(String(state?.['error']), /error on our side/);
    assert.deepEqual(
      lines.filter(({ msg }) => msg.startsWith('export failed')).map(({ msg }) => msg),
      ['export failed: its process ended at it each time'],
    );
    const again = await endedWith(2);
    assert.deepEqual(await stateOf(again), { status: 'ready', tries: 3, percent: 100, error: null });
  });
});

it('an export whose commit was not acknowledged is ready, with its file', async () => {
  const id = await request();
  const asSystem: ExportService['db']['asSystem'] = async (reason, work) => {
    const wasReady = (await stateOf(id))?.['status'] === 'ready';
    const result = await service.db.asSystem(reason, work);
    if (!wasReady && (await stateOf(id))?.['status'] === 'ready') throw new Error('Connection terminated unexpectedly');
    return result;
  };
  const { db, clock, log, files } = service;
  const maker = createExportMaker({ db: { ...db, asSystem }, clock, log, files: files.store, notify: async () => undefined });
  await maker.makeDue();
  assert.deepEqual(await stateOf(id), { status: 'ready', tries: 1, percent: 100, error: null });
  await service.unpack('owner', id);
});

describe('exports wait their turn', () => {
  it('one at a time in a process, the agency that waited longest first', async () => {
    const { partnerId, clientId, otherClientId, rivalPartnerId } = service.world;
    const ask = async (as: 'owner' | 'rivalOwner', body: Record<string, unknown>): Promise<void> =>
      void (await service.call('POST', '/account-export', { as, body }));
    await ask('owner', { scope: 'partner' });
    await ask('owner', { scope: 'client', clientId });
    await ask('owner', { scope: 'client', clientId: otherClientId });
    await ask('rivalOwner', { scope: 'partner' });
    Object.assign(written, { owners: [], most: 0 });
    await Promise.all([service.exports.makeDue(), service.exports.makeDue()]);
    assert.deepEqual(written, { owners: [partnerId, rivalPartnerId, clientId, otherClientId], open: 0, most: 1 });
  });
});

function startOnSameDatabase(): Promise<ExportService> {
  return startExportService({ database: service.database, world: service.world, clock: service.clock });
}

async function* one(content: Uint8Array): AsyncGenerator<Uint8Array> {
  yield content;
}
