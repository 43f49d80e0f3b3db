import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { checksumRows } from '@partner-portal/tests/harness/account-rows.ts';
import { CALL, type ExecutionService, startExecutionService } from '@partner-portal/tests/harness/executions.ts';
import { assertPurged, makeDue, purgeDeps } from '@partner-portal/tests/harness/purge.ts';
import { addClient } from '@partner-portal/tests/harness/world.ts';
import { newId } from '#platform/ids.ts';
import { runPurge } from './run-purge.ts';
import { createTurns, sweepPurges } from './work-through.ts';

/** Work of an account that was under way when its purge began, and what others write about it. */

let service: ExecutionService;
const lines: string[] = [];
before(async () => {
  service = await startExecutionService({ logLine: (line) => lines.push(line) });
});
after(async () => {
  await service?.close();
});

const rowsOf = async (partnerId: string): Promise<string[]> => {
  const sums = await checksumRows(service.database, 't.partner_id = $1', [partnerId]);
  return Object.keys(sums)
    .filter((table) => !sums[table]?.startsWith('0 '))
    .toSorted();
};
/** Late writes of a worker that held something of the account in memory. */
const SLOW = [
  "insert into audit_entry (id, partner_id, client_id, actor_type, action) values ($1, $2, $3, 'user', 'late')",
  "insert into event (id, partner_id, client_id, type, data, due_at) values ($1, $2, $3, 'late', '{}', now())",
  "insert into mail (id, partner_id, to_address, kind, subject, status, body_until) select $1, $2, 'late', coalesce($3::text, 'late'), 'late', 'failed', now()",
  "insert into file (id, partner_id, purpose, content_type, chunk_bytes) select $1, $2, 'media', coalesce($3::text, 'late'), 1",
];
const KEPT = ['audit_entry', 'deletion_request'];

it('a purge of a client leaves no run under way of an agent that was removed before, and takes none of others', async () => {
  const { partnerId, otherClientId } = service.world;
  const clientId = await service.db.asSystem('seed', (tx) => addClient(tx, partnerId, 'A client that leaves'));
  const agents = await Promise.all([service.addAgent({ clientId }), service.addAgent({ clientId: otherClientId })]);
  const ids = await Promise.all(agents.map(async (agent) => (await service.ingest(agent, CALL)).body.executionId));
  await service.executions.dispatcher.runOnce();
  await service.query('delete from workflow where id = $1', [agents[0]]);
  const underWay = async () => (await service.query<{ id: string }>('select execution_id as id from under_way')).map(({ id }) => id);
  assert.deepEqual(new Set(await underWay()), new Set(ids));
  const requestId = await makeDue(service, partnerId, clientId);
  const deps = purgeDeps(service);
  await sweepPurges(deps);
  assert.equal(await runPurge(deps, requestId, { signal: new AbortController().signal, turn: createTurns() }), 'completed');
  assert.deepEqual(await underWay(), [ids[1]]);
});

it('a purge leaves no row of what was under way when it began', async () => {
  const { partnerId, clientId } = service.world;
  const agent = await service.addAgent();
  const [running, late] = await Promise.all([service.ingest(agent, CALL), service.ingest(agent, CALL)]);
  await service.executions.dispatcher.runOnce();
  assert.deepEqual([running.status, late.status], [202, 202]);
  const requestId = await makeDue(service, partnerId, null);
  const deps = purgeDeps(service);
  await sweepPurges(deps);
  // Begun, nothing deleted yet: a report still finds its run, a new event does not find its agent.
  const report = { status: 'SUCCEEDED', output: { contacted: CALL.callerNumber }, contacted: CALL.callerNumber };
  assert.equal((await service.report(running.body.executionId, report)).status, 200);
  assert.equal((await service.ingest(agent, CALL)).status, 404);
  lines.length = 0;
  assert.equal(await runPurge(deps, requestId, { signal: new AbortController().signal, turn: createTurns() }), 'completed');
  await assertPurged(service, requestId);
  // Gone: the report of the other run, an event, a call with a session of before, mail, events and notices of a worker that was slow.
  assert.equal((await service.report(late.body.executionId, report)).status, 404);
  assert.equal((await service.ingest(agent, CALL)).status, 404);
  assert.equal((await service.call('PATCH', '/auth/me', { as: 'owner', body: { fullName: 'Someone' } })).status, 401);
  for (const text of SLOW) await service.query(text, [newId(), partnerId, clientId]);
  assert.deepEqual(await rowsOf(partnerId), KEPT);
  assert.deepEqual(
    lines.filter((line) => line.includes('"level":50') || line.includes('"level":"error"')),
    [],
  );
});

it('a purge clears its names from the log of staff, and leaves the other entries', async () => {
  const { rivalPartnerId, housePartnerId } = service.world;
  const [about, other] = [newId(), newId()];
  const entry = { partnerId: housePartnerId, actorType: 'staff', actorEmail: 'staff@portal.test', action: 'partner.updated' };
  await service.db.asSystem('seed', (tx) =>
    tx
      .insertInto('auditEntry')
      .values([
        {
          id: about,
          ...entry,
          targetId: rivalPartnerId,
          targetLabel: 'Rival Agency',
          changes: JSON.stringify({ name: [null, 'Rival Agency'] }),
        },
        { id: other, ...entry, targetLabel: 'Acme', changes: JSON.stringify({ name: [null, 'Rival'] }) },
      ])
      .execute(),
  );
  const requestId = await makeDue(service, rivalPartnerId, null);
  const deps = purgeDeps(service);
  await sweepPurges(deps);
  assert.equal(await runPurge(deps, requestId, { signal: new AbortController().signal, turn: createTurns() }), 'completed');
  const rows = await service.query<{ id: string; label: string | null; changes: object; by: string }>(
    'select id, target_label as label, changes, actor_email as by from audit_entry where id = any($1) order by id',
    [[about, other]],
  );
  assert.deepEqual(
    rows.map(({ label, changes, by }) => [label, changes, by]),
    [
      [null, {}, 'staff@portal.test'],
      ['Acme', { name: [null, 'Rival'] }, 'staff@portal.test'],
    ],
  );
});
