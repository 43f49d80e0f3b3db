import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { type ExecutionService, startExecutionService } from '@partner-portal/tests/harness/executions.ts';
import { assertPurged, makeDue, purgeDeps } from '@partner-portal/tests/harness/purge.ts';
import { newId } from '#platform/ids.ts';
import { runPurge } from './run-purge.ts';
import { createTurns, sweepPurges } from './work-through.ts';

/** What a purge does with rows of others that name the account, and with those that only seem to. */

let service: ExecutionService;
before(async () => {
  service = await startExecutionService();
});
after(() => service?.close());

async function purgeNow(partnerId: string, clientId: string | null): Promise<void> {
  const requestId = await makeDue(service, partnerId, clientId);
  const deps = purgeDeps(service);
  await sweepPurges(deps);
  assert.equal(await runPurge(deps, requestId, { signal: new AbortController().signal, turn: createTurns() }), 'completed');
  await assertPurged(service, requestId);
}

it('a purged client is in no export of its agency, and in nothing that a setup of the agency wrote', async () => {
  const { partnerId, otherClientId: clientId, rivalPartnerId, clientId: keptClientId } = service.world;
  const [{ name } = { name: '' }] = await service.query<{ name: string }>('select name from client where id = $1', [clientId]);
  const attempt = newId();
  await service.query(`insert into provisioning_attempt (id, partner_id, number, mode, status) values ($1, $2, 1, 'repair', 'failed')`, [
    attempt,
    partnerId,
  ]);
  await service.query(
    `insert into provisioning_step (attempt_id, partner_id, "order", name, stage, summary, metadata, warnings) values
      ($1, $2, 1, 'bind', 'setup', 'bound', $3, '{}'), ($1, $2, 2, 'check', 'setup', 'checked', '{}', $4), ($1, $2, 3, 'import', 'setup', 'imported', '{}', '{}')`,
    [attempt, partnerId, { connections: [{ clientId, clientName: name }] }, [`Twilio for ${name} failed.`]],
  );
  const ready = await addExport(partnerId, null, 'ready');
  const running = await addExport(partnerId, null, 'running');
  const others = [
    await addExport(rivalPartnerId, null, 'ready'),
    await addExport(partnerId, keptClientId, 'ready'),
  ];
  await purgeNow(partnerId, clientId);
  const exports = await service.query<{ id: string; status: string; file: string | null; claim: string | null }>(
    'select e.id, e.status, f.id as file, e.claimed_by as claim from account_export e left join file f on f.id = e.file_id',
  );
  const stateOf = (id: string) => exports.filter((row) => row.id === id).map(({ status, file, claim }) => [status, file !== null, claim]);
  assert.deepEqual(stateOf(ready.id), [['expired', false, null]]);
  assert.deepEqual(stateOf(running.id), [['pending', false, null]]);
  for (const { id } of others) assert.deepEqual(stateOf(id), [['ready', true, null]]);
  assert.deepEqual(await service.query('select id from file where id = $1', [ready.fileId]), []);
  const steps = await service.query<{ summary: string | null; text: string }>(
    'select summary, s::text as text from provisioning_step s where attempt_id = $1 order by "order"',
    [attempt],
  );
  assert.deepEqual(
    steps.map(({ summary }) => summary),
    [null, null, 'imported'],
  );
  assert.deepEqual(
    steps.filter(({ text }) => text.includes(name)),
    [],
  );
});

it('a tenant cannot clear the log of staff by the names it gives to its clients', async () => {
  const { rivalPartnerId, rivalClientId, housePartnerId, partnerId } = service.world;
  await service.query(`update client set name = 'suspended' where id = $1`, [rivalClientId]);
  const entries = [
    { id: newId(), action: 'partner.suspended', target: partnerId, label: 'Acme', changes: { status: ['active', 'suspended'] } },
    { id: newId(), action: 'plan_request.submitted', target: newId(), label: 'suspended', changes: {} },
    {
      id: newId(),
      action: 'user.status_changed',
      target: newId(),
      label: 'someone@acme.test',
      changes: { status: ['suspended', 'active'] },
    },
  ];
  for (const { id, action, target, label, changes } of entries)
    await service.query(
      `insert into audit_entry (id, partner_id, actor_type, actor_email, action, target_id, target_label, changes) values ($1, $2, 'staff', 'staff@portal.test', $3, $4, $5, $6)`,
      [id, housePartnerId, action, target, label, changes],
    );
  const refused = newId();
  await service.query(
    `insert into audit_entry (id, partner_id, actor_type, action, target_label) select $1, $2, 'system', 'plan_request.submitted', name from partner where id = $3`,
    [refused, housePartnerId, rivalPartnerId],
  );
  await purgeNow(rivalPartnerId, null);
  const rows = await service.query<{ id: string; label: string | null; changes: object }>(
    'select id, target_label as label, changes from audit_entry where id = any($1)',
    [[...entries.map(({ id }) => id), refused]],
  );
  const byId = new Map(rows.map((row) => [row.id, [row.label, row.changes]]));
  for (const { id, label, changes } of entries) assert.deepEqual(byId.get(id), [label, changes]);
  assert.deepEqual(byId.get(refused), [null, {}]);
});

/** An export with its file. */
async function addExport(
  partnerId: string,
  clientId: string | null,
  status: 'ready' | 'running',
): Promise<{ id: string; fileId: string | null }> {
  const id = newId();
  const fileId = status === 'ready' ? newId() : null;
  if (fileId !== null)
    await service.query(
      `insert into file (id, partner_id, client_id, purpose, content_type, chunk_bytes, size_bytes, sha256, completed_at) values ($1, $2, $3, 'export', 'application/zip', 10, 0, '', now())`,
      [fileId, partnerId, clientId],
    );
  await service.query(
    `insert into account_export (id, partner_id, client_id, scope, status, file_id, started_at, size_bytes, expires_at, lease_until, claimed_by)
      select $1, $2, $3::uuid, case when $3::uuid is null then 'partner' else 'client' end, $4, $5, now(),
        case when $4 = 'ready' then 0 end, case when $4 = 'ready' then now() + interval '7 days' end, case when $4 = 'running' then now() + interval '1 minute' end,
        case when $4 = 'running' then uuidv7() end`,
    [id, partnerId, clientId, status, fileId],
  );
  return { id, fileId };
}
