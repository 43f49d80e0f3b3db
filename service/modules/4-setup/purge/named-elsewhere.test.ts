import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { type ExecutionService, startExecutionService } from '@partner-portal/tests/harness/executions.ts';
import { assertPurged, makeDue, purgeDeps } from '@partner-portal/tests/harness/purge.ts';
import { newId } from '#platform/ids.ts';
import { runPurge } from './run-purge.ts';
import { createTurns, sweepPurges } from './work-through.ts';

/** A purge and rows of others that name the account, or only seem to. */

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

it('what setups of its agency wrote about a purged client is cleared, found by its id', async () => {
  const { partnerId, otherClientId: clientId, rivalPartnerId } = service.world;
  const oldName = 'Quillfeather Joinery';
  // Renamed since, to a text that is in every other row.
  await service.query(`update client set name = 'e' where id = $1`, [clientId]);
  const list = `CredentialUnresolved, no credential is saved: provider=twilio for ${oldName} (Send)`;
  const attempts = [newId(), newId(), newId()];
  for (const [index, id] of attempts.entries())
    await service.query(
      `insert into provisioning_attempt (id, partner_id, number, mode, status, error) values ($1, $2, $3, 'repair', 'failed', $4)`,
      [id, index === 2 ? rivalPartnerId : partnerId, 90 + index, index === 1 ? 'The engine is away.' : list],
    );
  const [failed, other, rival] = attempts;
  await service.query(
    `insert into provisioning_step (attempt_id, partner_id, "order", name, stage, summary, metadata, warnings, error) values
      ($1, $2, 1, 'bind', 'setup', 'bound', $3, '{}', null), ($1, $2, 2, 'check', 'setup', 'checked', $4, $5, $6), ($1, $2, 3, 'import', 'setup', 'imported', '{}', '{}', null),
      ($7, $2, 1, 'bind', 'setup', 'were bound', '{}', '{"Some warning"}', 'The engine is away.')`,
    [
      failed,
      partnerId,
      { connections: [{ clientId, clientName: oldName }] },
      { missing: [{ clientId }] },
      [`Twilio for ${oldName} failed.`],
      list,
      other,
    ],
  );
  for (const [owner, attempt] of [
    [partnerId, failed],
    [rivalPartnerId, rival],
  ])
    await service.query(
      `insert into automation_instance (partner_id, provider, status, tenancy_mode, last_error, current_attempt_id) values ($1, 'embedded', 'failed', 'shared', $2, $3)
        on conflict (partner_id) do update set last_error = excluded.last_error, current_attempt_id = excluded.current_attempt_id`,
      [owner, list, attempt],
    );
  const rollout = newId();
  await service.query(`insert into rollout (id, template_name, target_version, batch_size) values ($1, 'any', 2, 1)`, [rollout]);
  await service.query(`insert into rollout_partner (rollout_id, partner_id, attempt_id, message) values ($1, $2, $3, $4)`, [
    rollout,
    partnerId,
    failed,
    list,
  ]);
  await purgeNow(partnerId, clientId);
  const steps = await service.query<{ summary: string | null; error: string | null }>(
    'select summary, error from provisioning_step where attempt_id = any($1) order by attempt_id, "order"',
    [[failed, other]],
  );
  assert.deepEqual(
    steps.map(({ summary, error }) => [summary, error]),
    [
      [null, null],
      [null, null],
      ['imported', null],
      ['were bound', 'The engine is away.'],
    ],
  );
  const errors = await service.query<{ error: string | null }>(
    'select error from provisioning_attempt where id = any($1) order by number',
    [attempts],
  );
  assert.deepEqual(
    errors.map(({ error }) => error),
    [null, 'The engine is away.', list],
  );
  const instances = await service.query<{ partnerId: string; error: string | null }>(
    'select partner_id as "partnerId", last_error as error from automation_instance where partner_id = any($1)',
    [[partnerId, rivalPartnerId]],
  );
  assert.deepEqual(
    new Map(instances.map((row) => [row.partnerId, row.error])),
    new Map([
      [partnerId, null],
      [rivalPartnerId, list],
    ]),
  );
  assert.deepEqual(await service.query('select message from rollout_partner where rollout_id = $1', [rollout]), [{ message: null }]);
});

it('the error of a setup for a purged client alone is cleared from the instance of its agency', async () => {
  const { partnerId } = service.world;
  const [clientId, attempt] = [newId(), newId()];
  await service.query(`insert into client (id, partner_id, name) values ($1, $2, 'Marrowbone Tiles')`, [clientId, partnerId]);
  await service.query(
    `insert into provisioning_attempt (id, partner_id, client_id, number, mode, status, error) values ($1, $2, $3, 80, 'provision', 'failed', 'Marrowbone Tiles')`,
    [attempt, partnerId, clientId],
  );
  await service.query(
    `insert into automation_instance (partner_id, provider, status, tenancy_mode, last_error, current_attempt_id) values ($1, 'embedded', 'failed', 'shared', $2, $3)
      on conflict (partner_id) do update set last_error = excluded.last_error, current_attempt_id = excluded.current_attempt_id`,
    [partnerId, 'Marrowbone Tiles', attempt],
  );
  await purgeNow(partnerId, clientId);
  assert.deepEqual(await service.query('select last_error as error from automation_instance where partner_id = $1', [partnerId]), [
    { error: null },
  ]);
});

it('events of its agency, and their deliveries, do not name a purged client; the other clients stay in them', async () => {
  const { partnerId, rivalPartnerId, rivalClientId } = service.world;
  const clientId = newId();
  await service.query(`insert into client (id, partner_id, name) values ($1, $2, 'Marrowbone Tiles')`, [clientId, partnerId]);
  const data = (gone: string) => ({
    used: 5,
    topClients: [
      { id: gone, name: 'Marrowbone Tiles', used: 3 },
      { id: rivalClientId, name: 'Stays', used: 2 },
    ],
  });
  const events = [
    { id: newId(), owner: partnerId, data: data(clientId) },
    { id: newId(), owner: rivalPartnerId, data: data(clientId) },
  ];
  for (const { id, owner, data: sent } of events) {
    await service.query(`insert into event (id, partner_id, type, data) values ($1, $2, 'usage.threshold_crossed', $3)`, [id, owner, sent]);
    await service.query(
      `insert into delivery (partner_id, endpoint_id, event_id, event_type, body, status, finished_at) values ($1, $2, $3, 'usage.threshold_crossed', $4, 'delivered', now())`,
      [owner, newId(), id, JSON.stringify({ id, data: sent })],
    );
  }
  await purgeNow(partnerId, clientId);
  const cleared = {
    used: 5,
    topClients: [
      { id: clientId, name: 'Deleted client', used: 3 },
      { id: rivalClientId, name: 'Stays', used: 2 },
    ],
  };
  for (const [index, { id }] of events.entries()) {
    const expected = index === 0 ? cleared : data(clientId);
    assert.deepEqual(await service.query('select data from event where id = $1', [id]), [{ data: expected }]);
    const [delivery] = await service.query<{ body: string }>('select body from delivery where event_id = $1', [id]);
    assert.deepEqual(JSON.parse(delivery?.body ?? ''), { id, data: expected });
  }
});

it('rows of imports that belong to no client do not name a purged one; the other rows stay as they are', async () => {
  const { partnerId, clientId: otherId, rivalPartnerId } = service.world;
  const [clientId, imported, rival] = [newId(), newId(), newId()];
  await service.query(`insert into client (id, partner_id, name, contact_email) values ($1, $2, 'Praxis Dr. Weber', 'w@praxis.example')`, [
    clientId,
    partnerId,
  ]);
  for (const [id, owner] of [
    [imported, partnerId],
    [rival, rivalPartnerId],
  ])
    await service.query(
      `insert into client_import (id, partner_id, filename, mode, reading, created, updated, unchanged, refused, created_at, undo_until)
        values ($1, $2, 'clients.csv', 'valid', '{}', 1, 1, 0, 1, now(), now())`,
      [id, owner],
    );
  const own = { name: 'Praxis Dr. Weber', cell: 'MEZ' };
  type Row = { line: number; outcome: string; client?: string; name: string; cell: string };
  const seen: Row[] = [
    { line: 2, outcome: 'created', client: clientId, ...own },
    { line: 3, outcome: 'updated', client: otherId, ...own },
    { line: 4, outcome: 'refused', ...own },
    // Its client was removed by an undo.
    { line: 5, outcome: 'created', ...own, name: 'PRAXIS DR. WEBER' },
    { line: 6, outcome: 'refused', name: 'Praxis', cell: ' W@praxis.example' },
    { line: 7, outcome: 'refused', name: 'Praxis Dr. Weber-Kunz', cell: 'aw@praxis.example' },
  ];
  const add = (id: string, owner: string, { line, outcome, client, name, cell }: Row) =>
    service.query(
      `insert into client_import_row (import_id, line, partner_id, client_id, outcome, name, cell, code) values ($1, $2, $3, $4, $5, $6, $7, 'custom')`,
      [id, line, owner, client ?? null, outcome, name, cell],
    );
  for (const row of seen) await add(imported, partnerId, row);
  await add(rival, rivalPartnerId, { line: 4, outcome: 'refused', ...own });
  await purgeNow(partnerId, clientId);
  const left = (of: string) =>
    service.query('select line, name, cell, code from client_import_row where import_id = $1 order by line', [of]);
  assert.deepEqual(await left(imported), [
    { line: 3, ...own, code: 'custom' },
    { line: 4, name: '', cell: null, code: 'custom' },
    { line: 5, name: '', cell: null, code: 'custom' },
    { line: 6, name: '', cell: null, code: 'custom' },
    { line: 7, name: 'Praxis Dr. Weber-Kunz', cell: 'aw@praxis.example', code: 'custom' },
  ]);
  assert.deepEqual(await left(rival), [{ line: 4, ...own, code: 'custom' }]);
});

it('unsent digests, which may name the purged account, go: those of its agency and of staff, not those of other agencies', async () => {
  const { partnerId, rivalPartnerId, housePartnerId } = service.world;
  const clientId = newId();
  await service.query(`insert into client (id, partner_id, name) values ($1, $2, 'Quillfeather Joinery')`, [clientId, partnerId]);
  const owners = { agency: partnerId, rival: rivalPartnerId, staff: housePartnerId };
  for (const [name, owner] of Object.entries(owners))
    for (const isSent of [false, true])
      await service.query(
        `insert into mail (id, partner_id, to_address, kind, subject, status, body_sealed, body_key_id, body_until, sent_at, about_partner_id)
          values ($1, $2, $3, 'digest', $4, $5, $6, $7, now() + interval '7 days', $8, $2)`,
        [
          newId(),
          owner,
          `${name}@digest.test`,
          isSent ? 'sent' : 'unsent',
          isSent ? 'sent' : 'not_configured',
          isSent ? null : Buffer.from('x'),
          isSent ? null : newId(),
          isSent ? new Date() : null,
        ],
      );
  await purgeNow(partnerId, clientId);
  const left = await service.query<{ mail: string }>(
    `select split_part(to_address, '@', 1) || ' ' || subject as mail from mail where to_address like '%@digest.test' order by 1`,
  );
  assert.deepEqual(
    left.map(({ mail }) => mail),
    ['agency sent', 'rival sent', 'rival unsent', 'staff sent'],
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

it('rate counters of a purged client go, and those of others stay that only contain its address or id', async () => {
  const { partnerId } = service.world;
  const clientId = newId();
  await service.query(`insert into client (id, partner_id, name) values ($1, $2, 'Counted')`, [clientId, partnerId]);
  await service.query(
    `insert into app_user (partner_id, client_id, role, email, full_name, password_hash) values ($1, $2, 'CLIENT', 'al@counted.test', 'Al', 'x')`,
    [partnerId, clientId],
  );
  const gone = ['passwordReset:al@counted.test', `tenant:${clientId}`, `chatRunAddress:${clientId} 192.0.2.1`];
  const kept = [
    'passwordReset:val@counted.test',
    'newsletterMail:al@counted.testing',
    'passwordReset:al@counted.test.example',
    `tenant:x${clientId}`,
  ];
  for (const key of [...gone, ...kept]) await service.query('insert into rate_limit (key, points, expire) values ($1, 1, 0)', [key]);
  await purgeNow(partnerId, clientId);
  const left = await service.query<{ key: string }>('select key from rate_limit where key = any($1)', [[...gone, ...kept]]);
  assert.deepEqual(left.map(({ key }) => key).toSorted(), kept.toSorted());
});

it('mail about other clients and the agency stays, also to people who were once invited to the purged client', async () => {
  const { partnerId, clientId: otherId } = service.world;
  const clientId = newId();
  await service.query(`insert into client (id, partner_id, name) values ($1, $2, 'Shop A')`, [clientId, partnerId]);
  await service.query(`insert into billing_profile (partner_id, billing_email) values ($1, 'pays@shops.test')`, [partnerId]);
  const invite = (email: string, of: string, status: string) =>
    service.query(
      `insert into invitation (partner_id, client_id, kind, email, status, token_hash, expires_at) values ($1, $2, 'client_user', $3, $4, $5, now() + interval '1 day')`,
      [partnerId, of, email, status, Buffer.from(newId())],
    );
  const people = ['moved', 'member', 'awaited', 'pays', 'gone'].map((name) => `${name}@shops.test`);
  for (const email of people) await invite(email, clientId, 'revoked');
  await invite('awaited@shops.test', otherId, 'pending');
  await service.query(
    `insert into app_user (partner_id, client_id, email, role, full_name) values ($1, $2, 'moved@shops.test', 'CLIENT', 'Moved')`,
    [partnerId, otherId],
  );
  await service.query(
    `insert into app_user (partner_id, email, role, partner_role, full_name) values ($1, 'member@shops.test', 'PARTNER', 'moderator', 'Member')`,
    [partnerId],
  );
  for (const email of people)
    for (const about of [clientId, otherId, null])
      await service.query(
        `insert into mail (id, partner_id, to_address, kind, subject, status, body_until, due_at, about_partner_id, about_client_id)
          values ($1, $2, $3, 'notification', $4, 'queued', now() + interval '7 days', now() + interval '1 hour', $2, $5)`,
        [newId(), partnerId, email, about === null ? 'agency' : about === clientId ? 'purged' : 'other', about],
      );
  await purgeNow(partnerId, clientId);
  const left = await service.query<{ mail: string }>(
    `select split_part(to_address, '@', 1) || ' ' || subject as mail from mail where to_address like '%@shops.test' order by 1`,
  );
  assert.deepEqual(
    left.map(({ mail }) => mail),
    ['awaited', 'gone', 'member', 'moved', 'pays'].flatMap((name) =>
      name === 'gone' ? ['gone other'] : [`${name} agency`, `${name} other`],
    ),
  );
});
