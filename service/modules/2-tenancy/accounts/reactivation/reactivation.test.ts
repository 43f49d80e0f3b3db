import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { countLockWaits } from '@partner-portal/tests/harness/database.ts';
import { type Body, startTestService, type TestService } from '@partner-portal/tests/harness/service.ts';
import { until } from '@partner-portal/tests/harness/system.ts';
import { addClient, addPartner, type PersonFacts } from '@partner-portal/tests/harness/world.ts';
import { withClient } from '#platform/db/roles.ts';
import { newId } from '#platform/ids.ts';
import { billing } from '#modules/2-tenancy/billing/index.ts';
import { clients } from '#modules/2-tenancy/clients/index.ts';
import { partners } from '#modules/2-tenancy/partners/index.ts';
import { workQueue } from '#modules/6-views/work-queue/index.ts';
import { accounts, beginPurge, completeDeletion, listDueDeletions } from '../index.ts';

const DAY_MS = 86_400_000;
let service: TestService;
before(async () => {
  service = await startTestService({
    modules: (platform) => [
      accounts({ ...platform, deletionDays: 30 }),
      billing(platform),
      clients(platform),
      partners(platform),
      workQueue(platform),
    ],
  });
});
after(() => service.close());

const seed: TestService['db']['asSystem'] = (_reason, fn) => service.db.asSystem('seed', fn);
let count = 0;
let partnerId: string;
let clientId: string;
let admin: PersonFacts;
let moderator: PersonFacts;
let clientUser: PersonFacts;
const agencyName = () => `Agency ${count}`;

/** Each test has an agency of its own with an admin, a moderator and a client with one user. */
beforeEach(async () => {
  count += 1;
  await seed('seed', async (tx) => {
    partnerId = await addPartner(tx, { name: agencyName(), slug: `agency-${count}`, planId: service.world.planId });
    clientId = await addClient(tx, partnerId, 'Oak Street');
    const add = async (name: string, facts: Omit<PersonFacts, 'userId' | 'email' | 'partnerId'>): Promise<PersonFacts> => {
      const user = { id: newId(), email: `${name}@agency-${count}.test`, partnerId, ...facts };
      await tx
        .insertInto('appUser')
        .values({ ...user, fullName: name, passwordHash: 'x' })
        .execute();
      return { userId: user.id, email: user.email, partnerId, ...facts };
    };
    admin = await add('admin', { role: 'PARTNER', partnerRole: 'admin', clientId: null });
    moderator = await add('moderator', { role: 'PARTNER', partnerRole: 'moderator', clientId: null });
    clientUser = await add('client', { role: 'CLIENT', partnerRole: null, clientId });
  });
});

const post = (path: string, who: PersonFacts | 'staff', body?: object) =>
  service.call('POST', path, {
    ...(who === 'staff' ? { as: who } : { headers: service.bearer(who) }),
    ...(body ? { body } : {}),
  });
const read = (path: string, who: PersonFacts) => service.call('GET', path, { headers: service.bearer(who) });
const ask = (who: PersonFacts, body: object = {}) => post('/account-reactivation', who, { message: 'Please', ...body });
const decide = (id: string, verb: 'approve' | 'reject', who: PersonFacts | 'staff', body: object = {}) =>
  post(`/account-reactivation/${id}/${verb}`, who, body);
const suspendAgency = () => post(`/partners/${partnerId}/suspend`, 'staff', { reason: 'Abuse' });
const suspendClient = () => post(`/clients/${clientId}/suspend`, admin, { reason: 'Unpaid' });
async function deleteClient(): Promise<string> {
  const { body } = await post('/account-deletion', admin, { scope: 'client', clientId, reason: 'Closed', confirmName: 'Oak Street' });
  const approved = await post(`/account-deletion/${body.id}/approve`, admin, {});
  assert.equal(approved.status, 200, approved.text);
  return body.id;
}
async function deleteAgency(): Promise<string> {
  const { body } = await post('/account-deletion', admin, { scope: 'partner', reason: 'We merge', confirmName: agencyName() });
  const approved = await post(`/account-deletion/${body.id}/approve`, 'staff', {});
  assert.equal(approved.status, 200, approved.text);
  return body.id;
}
/** Also while the agency is suspended. */
async function deleteClientByStaff(): Promise<string> {
  const { id } = await seed('seed', (tx) =>
    tx
      .insertInto('deletionRequest')
      .values({ partnerId, clientId, scope: 'client', accountName: 'Oak Street', reason: 'Closed', requesterRole: 'PARTNER' })
      .returning('id')
      .executeTakeFirstOrThrow(),
  );
  const approved = await post(`/account-deletion/${id}/approve`, 'staff', {});
  assert.equal(approved.status, 200, approved.text);
  return id;
}
const statuses = () =>
  seed('seed', async (tx) => {
    const partner = await tx
      .selectFrom('partner')
      .select(['status', 'suspensionCause'])
      .where('id', '=', partnerId)
      .executeTakeFirstOrThrow();
    const client = await tx.selectFrom('client').select(['status', 'suspensionCause']).where('id', '=', clientId).executeTakeFirstOrThrow();
    return [partner.status, partner.suspensionCause, client.status, client.suspensionCause];
  });
const deletionStatus = async (id: string) =>
  (await seed('seed', (tx) => tx.selectFrom('deletionRequest').select('status').where('id', '=', id).executeTakeFirstOrThrow())).status;
/** Decisions about reactivations of this agency in the audit log. */
const decisionsOnRecord = async () =>
  (
    await seed('seed', (tx) =>
      tx
        .selectFrom('auditEntry')
        .select(['action', 'actorType', 'targetId', 'targetLabel', 'changes'])
        .where('partnerId', '=', partnerId)
        .where('action', 'in', ['reactivation_request.approved', 'reactivation_request.rejected'])
        .orderBy('id')
        .execute(),
    )
  ).map(({ action, actorType, targetId, targetLabel, changes }) => [action, actorType, targetId, targetLabel, changes]);
const suspensionOf = async (who: PersonFacts) => (await read('/auth/me', who)).body.user.suspension;

describe('a reactivation request', () => {
  it('is made for a suspended account only: the own one, and by an agency also for a client', async () => {
    assert.equal((await ask(admin)).body.code, 'invalid_state');
    assert.equal((await ask(clientUser)).body.code, 'invalid_state');
    assert.equal((await ask(admin, { clientId })).body.code, 'invalid_state');
    await suspendClient();
    const byClient = await ask(clientUser);
    assert.deepEqual([byClient.status, byClient.body.scope, byClient.body.clientId], [201, 'client', clientId]);
    assert.equal((await ask(admin, { clientId })).body.code, 'already_pending');
    assert.equal((await ask(admin, { clientId: service.world.clientId })).body.code, 'not_found');
    assert.equal((await ask(clientUser, { clientId: service.world.clientId })).body.code, 'not_found');
    await suspendAgency();
    const byAgency = await ask(admin);
    assert.deepEqual([byAgency.status, byAgency.body.scope, byAgency.body.accountName], [201, 'partner', agencyName()]);
    assert.equal((await ask(moderator)).body.code, 'partner_role_forbidden');
    assert.equal((await ask({ ...clientUser })).body.code, 'invalid_state');
  });

  it('of a client whose agency is suspended names the agency', async () => {
    await suspendAgency();
    const refused = await ask(clientUser);
    assert.deepEqual([refused.status, refused.body.code], [409, 'invalid_state']);
    assert.match(refused.body.detail, /agency/);
  });

  it('is one at a time, also of two at the same moment', async () => {
    await suspendAgency();
    const both = await Promise.all([ask(admin), ask(admin)]);
    assert.deepEqual(
      both.map(({ status }) => status).toSorted((a, b) => a - b),
      [201, 409],
    );
    assert.equal(both.find(({ status }) => status === 409)?.body.code, 'already_pending');
  });

  it('is listed in scope, also while the account is suspended, and waits in the work queue', async () => {
    await suspendAgency();
    const { body } = await ask(admin);
    const list = async (who: PersonFacts) => (await read('/account-reactivation', who)).body.data.map(({ id }: { id: string }) => id);
    assert.deepEqual([await list(admin), await list(moderator), await list(clientUser)], [[body.id], [body.id], []]);
    const rival = service.world.people.rivalOwner;
    assert.deepEqual(await list(rival), []);
    assert.equal((await decide(body.id, 'approve', rival)).body.code, 'not_found');
    assert.equal((await decide(body.id, 'approve', admin)).body.code, 'account_suspended');
    const { body: queue } = await service.call('GET', '/provisioning/queue', { as: 'staff' });
    const item = queue.find(({ itemId }: { itemId: string }) => itemId === body.id);
    assert.deepEqual([item.kind, item.title, item.detail], ['reactivation_request', `Reactivation of ${agencyName()}`, 'Please']);
  });

  it('needs no decision once the account was resumed in another way', async () => {
    await suspendAgency();
    const { body } = await ask(admin);
    await post(`/partners/${partnerId}/resume`, 'staff');
    assert.equal((await decide(body.id, 'approve', 'staff')).body.code, 'invalid_state');
    const { body: list } = await read('/account-reactivation', admin);
    assert.deepEqual([list.data[0].status, list.data[0].decidedBy], ['approved', null]);
    assert.deepEqual(await decisionsOnRecord(), [
      ['reactivation_request.approved', 'system', body.id, agencyName(), { status: ['pending', 'approved'] }],
    ]);
    await suspendAgency();
    assert.equal((await ask(admin)).status, 201);
  });

  it('is rejected when its client is archived, which brings nothing back', async () => {
    await suspendClient();
    const { body } = await ask(clientUser);
    assert.equal((await post(`/clients/${clientId}/archive`, admin)).status, 200);
    const { body: list } = await read('/account-reactivation', admin);
    assert.deepEqual(
      [list.data[0].id, list.data[0].status, list.data[0].decisionNote, list.data[0].decidedBy],
      [body.id, 'rejected', null, null],
    );
    assert.deepEqual(await decisionsOnRecord(), [
      [
        'reactivation_request.rejected',
        'system',
        body.id,
        'Oak Street',
        { status: ['pending', 'rejected'], account: ['suspended', 'archived'] },
      ],
    ]);
  });

  it('is refused for an account that becomes active at the same moment', async () => {
    for (const [suspend, who, order, path, by] of [
      [suspendAgency, admin, {}, `/partners/${partnerId}/resume`, 'staff'],
      [suspendClient, clientUser, {}, `/clients/${clientId}/resume`, admin],
      [suspendClient, admin, { clientId }, `/clients/${clientId}/resume`, admin],
    ] as const) {
      await suspend();
      const [inside, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      const holding = seed('seed', async (tx) => {
        await tx.selectFrom('partner').select('id').where('id', '=', partnerId).forUpdate().execute();
        await tx.selectFrom('client').select('id').where('id', '=', clientId).forUpdate().execute();
        inside.resolve();
        await release.promise;
      });
      await inside.promise;
      const resuming = post(path, by);
      await until('the resumption waits', async () => (await countLockWaits(service.database)) === 1);
      let isAnswered = false;
      const asking = ask(who, order).finally(() => (isAnswered = true));
      await until('the request is stored or waits', async () => isAnswered || (await countLockWaits(service.database)) === 2);
      release.resolve();
      await holding;
      assert.equal((await resuming).status, 200);
      assert.equal((await asking).body.code, 'invalid_state');
    }
    assert.deepEqual((await read('/account-reactivation', admin)).body.data, []);
  });
});

describe('a rejected reactivation', () => {
  it('leaves the account suspended, with a note, and can be requested again', async () => {
    await suspendClient();
    const { body } = await ask(clientUser);
    assert.equal((await decide(body.id, 'reject', admin)).status, 422);
    assert.equal((await decide(body.id, 'reject', moderator, { note: 'x' })).body.code, 'partner_role_forbidden');
    const rejected = await decide(body.id, 'reject', admin, { note: 'Pay first' });
    assert.deepEqual([rejected.body.status, rejected.body.decisionNote], ['rejected', 'Pay first']);
    assert.deepEqual((await statuses()).slice(2), ['suspended', 'manual']);
    const seen = (await read('/account-reactivation', clientUser)).body.data[0];
    assert.deepEqual([seen.decisionNote, seen.decidedBy.name, seen.decidedBy.email], ['Pay first', agencyName(), null]);
    assert.equal((await ask(clientUser)).status, 201);
  });
});

describe('an approved reactivation', () => {
  it('of an agency cancels its approved deletion; staff alone decide', async () => {
    const deletionId = await deleteAgency();
    const { body } = await ask(admin, { message: 'We do not merge' });
    const approved = await decide(body.id, 'approve', 'staff', { note: 'Welcome back' });
    assert.deepEqual([approved.status, approved.body.status], [200, 'approved'], approved.text);
    assert.deepEqual((await statuses()).slice(0, 2), ['active', null]);
    assert.equal(await deletionStatus(deletionId), 'cancelled');
    assert.equal((await read('/partners/me', admin)).status, 200);
    const { body: again } = await post('/account-deletion', admin, { scope: 'partner', reason: 'Again', confirmName: agencyName() });
    assert.equal(again.status, 'pending');
  });

  it('of a client is decided by its agency, also one without users', async () => {
    const deletionId = await deleteClient();
    const { body } = await ask(admin, { clientId });
    assert.equal((await decide(body.id, 'approve', clientUser)).body.code, 'role_forbidden');
    assert.equal((await decide(body.id, 'approve', admin)).body.status, 'approved');
    assert.deepEqual((await statuses()).slice(2), ['active', null]);
    assert.equal(await deletionStatus(deletionId), 'cancelled');
  });

  it('of a client that was archived before archives it again', async () => {
    await post(`/clients/${clientId}/archive`, admin);
    await deleteClient();
    const { body } = await ask(admin, { clientId });
    await decide(body.id, 'approve', admin);
    assert.deepEqual((await statuses()).slice(2), ['archived', null]);
  });

  it('takes a place of the plan, which the approved deletion set free', async () => {
    await deleteClient();
    await seed('seed', (tx) =>
      tx.updateTable('subscription').set({ overrides: '{"includedClients":1}' }).where('partnerId', '=', partnerId).execute(),
    );
    const added = await post('/clients', admin, { name: 'In its place' });
    assert.equal(added.status, 201, added.text);
    const { body } = await ask(admin, { clientId });
    assert.equal((await decide(body.id, 'approve', admin)).body.code, 'client_limit_reached');
    await post(`/clients/${added.body.id}/archive`, admin);
    assert.equal((await decide(body.id, 'approve', admin)).status, 200);
  });

  // But for `on_since`, from which the silence of agents counts again.
  it('changes statuses only: every row of agents, schedules, sign-in and webhooks is the same as before the deletion', async () => {
    await fillAgency();
    const before = await rowsOfAgency();
    assert.deepEqual(
      Object.entries(before).map(([table, rows]) => `${table} ${rows.length}`),
      [
        'workflow 3',
        'workflow_schedule 2',
        'planned_run 1',
        'sso_connection 1',
        'webhook_endpoint 2',
        'client 3',
        'app_user 3',
        'partner 1',
      ],
    );
    await deleteAgency();
    const { body } = await ask(admin);
    await decide(body.id, 'approve', 'staff');
    assert.deepEqual(await rowsOfAgency(), before);
  });
});

/** Agents that are on, off and not installed, with schedules, a planned run, single sign-on and webhooks; clients of each status. */
async function fillAgency(): Promise<void> {
  await seed('seed', async (tx) => {
    const agent = { partnerId, clientId, templateVersion: 1, providerFlowId: 'flow' };
    const [on, off] = await tx
      .insertInto('workflow')
      .values([
        { ...agent, templateName: 'missed-call-text-back', name: 'On', consecutiveFailures: 2 },
        { ...agent, templateName: 'review-request', name: 'Off', isActive: false },
        { ...agent, templateName: 'web-lead-reply', name: 'Not installed', providerFlowId: null },
      ])
      .returning('id')
      .execute();
    assert.ok(on && off);
    const schedule = { partnerId, every: 'day', at: '09:00', timezone: 'UTC' };
    const dueAt = new Date(Date.now() + DAY_MS);
    await tx
      .insertInto('workflowSchedule')
      .values([
        { ...schedule, workflowId: on.id, enabled: true, dueAt },
        { ...schedule, workflowId: off.id, enabled: false, dueAt: null },
      ])
      .execute();
    await tx
      .insertInto('plannedRun')
      .values({
        partnerId,
        clientId,
        workflowId: on.id,
        kind: 'reminder',
        origin: 'run',
        subject: 'booking-1',
        dueAt,
        lastAt: dueAt,
        tryAt: dueAt,
        input: '{}',
      })
      .execute();
    const sealed = { secretSealed: Buffer.from('sealed'), secretKeyId: 'test' };
    await tx
      .insertInto('webhookEndpoint')
      .values([
        { partnerId, url: 'https://in.example/on', ...sealed },
        { partnerId, url: 'https://in.example/off', isActive: false, ...sealed },
      ])
      .execute();
    const oidc = { issuer: 'https://idp.example', oidcClientId: 'portal', clientSecretSealed: Buffer.from('sealed'), secretKeyId: 'test' };
    await tx
      .insertInto('ssoConnection')
      .values({ partnerId, protocol: 'oidc', status: 'verified', enforced: true, emailDomains: ['agency.example'], ...oidc })
      .execute();
    await tx.insertInto('client').values({ partnerId, name: 'By hand', status: 'suspended', suspensionCause: 'manual' }).execute();
    await tx.insertInto('client').values({ partnerId, name: 'Archived', status: 'archived' }).execute();
  });
}

/** Every row of the agency but when it was last written. */
async function rowsOfAgency(): Promise<Record<string, unknown[]>> {
  const { host, name } = service.database;
  const tables = ['workflow', 'workflow_schedule', 'planned_run', 'sso_connection', 'webhook_endpoint', 'client', 'app_user', 'partner'];
  return withClient({ ...host.adminConfig, database: name }, async (client) => {
    const rows: Record<string, unknown[]> = {};
    for (const table of tables) {
      const column = table === 'partner' ? 'id' : 'partner_id';
      const found = await client.query<{ row: Body }>(
        `select to_jsonb(t) - 'updated_at' - 'on_since' as row from ${table} t where t.${column} = $1 order by to_jsonb(t)::text`,
        [partnerId],
      );
      rows[table] = found.rows.map(({ row }) => row);
    }
    return rows;
  });
}

describe('the purge and a reactivation', () => {
  const due = () => new Date(Date.now() + 31 * DAY_MS);
  const begin = (id: string, now = due()) => service.db.asSystem('sweep', (tx) => beginPurge(tx, id, now));

  it('begins when it is due and once, and refuses a reactivation from then on', async () => {
    const id = await deleteAgency();
    const listed = () => service.db.asSystem('sweep', (tx) => listDueDeletions(tx, due(), 100));
    assert.equal(await begin(id, new Date(Date.now() + 29 * DAY_MS)), undefined);
    assert.ok((await listed()).includes(id));
    assert.deepEqual(await begin(id), { requestId: id, scope: 'partner', partnerId, clientId: null });
    assert.equal(await begin(id), undefined);
    assert.ok(!(await listed()).includes(id));
    // As the version before left it: it did not wait for the decision.
    const { body } = await ask(admin);
    const refused = await decide(body.id, 'approve', 'staff');
    assert.deepEqual([refused.status, refused.body.code], [409, 'invalid_state']);
    assert.match(refused.body.detail, /being deleted/);
    assert.deepEqual((await statuses()).slice(0, 2), ['suspended', 'deletion_approved']);
  });

  it('waits for the decision about a reactivation, which still brings all of it back after the day', async () => {
    const [ofAgency, ofClient] = [await deleteAgency(), await deleteClientByStaff()];
    const listed = () => service.db.asSystem('sweep', (tx) => listDueDeletions(tx, due(), 100));
    const { body } = await ask(admin);
    assert.equal(await begin(ofAgency), undefined);
    assert.ok(!(await listed()).includes(ofAgency));
    assert.equal((await decide(body.id, 'reject', 'staff', { note: 'Not yet' })).status, 200);
    assert.ok((await listed()).includes(ofAgency));
    const { body: again } = await ask(admin);
    assert.equal(await begin(ofAgency), undefined);
    assert.equal((await decide(again.id, 'approve', 'staff')).status, 200);
    assert.deepEqual((await statuses()).slice(0, 2), ['active', null]);
    assert.equal(await begin(ofAgency), undefined);
    // The request of the agency held nothing of its client.
    assert.ok(await begin(ofClient));
  });

  it('waits for no reactivation that was requested before the deletion was approved, which answers it', async () => {
    await suspendClient();
    const { body } = await ask(clientUser);
    const id = await deleteClient();
    const { body: list } = await read('/account-reactivation', admin);
    assert.deepEqual([list.data[0].id, list.data[0].status, list.data[0].decisionNote], [body.id, 'rejected', null]);
    assert.ok(await begin(id));
  });

  it('finds nothing after a reactivation', async () => {
    const id = await deleteClient();
    const { body } = await ask(admin, { clientId });
    assert.equal((await decide(body.id, 'approve', admin)).status, 200);
    assert.equal(await begin(id), undefined);
    assert.ok(!(await service.db.asSystem('sweep', (tx) => listDueDeletions(tx, due(), 100))).includes(id));
  });

  it('requested at the same moment as a purge begins waits for it, and is refused', async () => {
    const id = await deleteAgency();
    const [inside, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const purging = service.db.asSystem('sweep', async (tx) => {
      const begun = await beginPurge(tx, id, due());
      await tx.updateTable('partner').set({ status: 'deleted' }).where('id', '=', partnerId).execute();
      inside.resolve();
      await release.promise;
      return begun;
    });
    await inside.promise;
    const asking = ask(admin);
    await until('the request waits', async () => (await countLockWaits(service.database)) === 1);
    release.resolve();
    assert.ok(await purging);
    assert.equal((await asking).body.code, 'invalid_state');
    assert.equal((await statuses())[0], 'deleted');
  });

  it('requested at the same moment makes a purge wait, which then finds its decision missing', async () => {
    const ofClient = await deleteClient();
    const [asked, commit] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const holding = seed('seed', async (tx) => {
      await tx.selectFrom('client').select('id').where('id', '=', clientId).forUpdate().execute();
      await tx
        .insertInto('reactivationRequest')
        .values({ partnerId, clientId, scope: 'client', message: 'Keep us', requesterRole: 'CLIENT' })
        .execute();
      asked.resolve();
      await commit.promise;
    });
    await asked.promise;
    const second = begin(ofClient);
    await until('the purge waits', async () => (await countLockWaits(service.database)) === 1);
    commit.resolve();
    await holding;
    assert.equal(await second, undefined);
  });

  it('makes a purge wait that begins at the same moment, which then finds nothing', async () => {
    const id = await deleteAgency();
    const { body } = await ask(admin);
    const [inside, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const holding = seed('seed', async (tx) => {
      await tx.selectFrom('partner').select('id').where('id', '=', partnerId).forUpdate().execute();
      inside.resolve();
      await release.promise;
    });
    await inside.promise;
    const approving = decide(body.id, 'approve', 'staff');
    await until('the reactivation holds its requests', async () => (await countLockWaits(service.database)) === 1);
    const purging = begin(id);
    await until('the purge waits', async () => (await countLockWaits(service.database)) === 2);
    release.resolve();
    await holding;
    assert.equal((await approving).status, 200);
    assert.equal(await purging, undefined);
    assert.deepEqual((await statuses()).slice(0, 2), ['active', null]);
  });

  it('approved at the same moment as a resumption by hand ends like it, and both leave the account active', async () => {
    for (const [suspend, who, order, path, decider] of [
      [suspendAgency, admin, {}, `/partners/${partnerId}/resume`, 'staff'],
      [suspendClient, admin, { clientId }, `/clients/${clientId}/resume`, admin],
    ] as const) {
      const [inside, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      await suspend();
      const { body } = await ask(who, order);
      const holding = seed('seed', async (tx) => {
        await tx.selectFrom('reactivationRequest').select('id').where('id', '=', body.id).forUpdate().execute();
        inside.resolve();
        await release.promise;
      });
      await inside.promise;
      const approving = decide(body.id, 'approve', decider);
      await until('the decision waits', async () => (await countLockWaits(service.database)) > 0);
      let isAnswered = false;
      const resuming = post(path, decider).finally(() => (isAnswered = true));
      // With the account locked, it must not wait for the request, whose decision waits for the account next.
      await until('it is done or waits', async () => isAnswered || (await countLockWaits(service.database)) > 1);
      release.resolve();
      await holding;
      assert.deepEqual([(await resuming).status, (await approving).status], [200, 200]);
      const { status } = await seed('seed', (tx) =>
        tx.selectFrom('reactivationRequest').select('status').where('id', '=', body.id).executeTakeFirstOrThrow(),
      );
      assert.equal(status, 'approved');
    }
    assert.deepEqual(await statuses(), ['active', null, 'active', null]);
  });

  it('leaves of a purged account a request without names', async () => {
    const id = await deleteAgency();
    await begin(id);
    await service.db.asSystem('sweep', (tx) => completeDeletion(tx, id, due()));
    const { body } = await service.call('GET', `/account-deletion/${id}`, { as: 'staff' });
    assert.deepEqual([body.status, body.accountName, body.reason, body.requestedBy, body.decidedBy], ['completed', '', '', null, null]);
    assert.equal(Date.parse(body.completedAt) > Date.now(), true);
  });
});

describe('a suspended session', () => {
  it('says why, since when and until when, for the agency and for its clients', async () => {
    assert.equal(await suspensionOf(admin), null);
    assert.equal(await suspensionOf(clientUser), null);
    await suspendClient();
    const byHand = await suspensionOf(clientUser);
    assert.deepEqual(
      [byHand.scope, byHand.cause, byHand.reason, byHand.purgeAfter, byHand.reactivationPending],
      ['client', 'manual', 'Unpaid', null, false],
    );
    assert.ok(Math.abs(Date.parse(byHand.since) - Date.now()) < 60_000);
    await post(`/clients/${clientId}/resume`, admin);
    assert.equal(await suspensionOf(clientUser), null);
    const deletionId = await deleteClient();
    await ask(clientUser);
    const deleted = await suspensionOf(clientUser);
    const { body: request } = await read(`/account-deletion/${deletionId}`, admin);
    assert.deepEqual(
      [deleted.cause, deleted.reason, deleted.purgeAfter, deleted.reactivationPending],
      ['deletion_approved', 'Closed', request.purgeAfter, true],
    );
    assert.equal(await suspensionOf(admin), null);
  });

  it('says of an archived client that it is archived, which no request changes', async () => {
    await suspendClient();
    await post(`/clients/${clientId}/archive`, admin);
    const { scope, cause, reason, purgeAfter, reactivationPending } = await suspensionOf(clientUser);
    assert.deepEqual([scope, cause, reason, purgeAfter, reactivationPending], ['client', 'archived', null, null, false]);
    const refused = await ask(clientUser);
    assert.deepEqual([refused.body.code, refused.body.detail], ['invalid_state', 'This account is archived, not suspended.']);
    await suspendAgency();
    assert.equal((await suspensionOf(clientUser)).cause, 'manual');
  });

  it('shows a client of a suspended agency that and until when, but not why', async () => {
    await post(`/partners/${partnerId}/suspend`, 'staff', { reason: 'Invoices are unpaid' });
    const [own, client] = [await suspensionOf(admin), await suspensionOf(clientUser)];
    assert.deepEqual([own.scope, own.cause, own.reason], ['partner', 'manual', 'Invoices are unpaid']);
    assert.deepEqual([client.scope, client.cause, client.reason, client.reactivationPending], ['partner', 'manual', null, false]);
    await post(`/partners/${partnerId}/resume`, 'staff');
    await seed('seed', (tx) =>
      tx
        .updateTable('partner')
        .set({ status: 'suspended', suspendedAt: new Date(), suspensionReason: 'Unpaid: 2026-000001', suspensionCause: 'billing' })
        .where('id', '=', partnerId)
        .execute(),
    );
    assert.equal((await suspensionOf(admin)).cause, 'billing');
    assert.deepEqual([(await suspensionOf(clientUser)).cause, (await suspensionOf(clientUser)).reason], ['manual', null]);
    await post(`/partners/${partnerId}/resume`, 'staff');
    await deleteAgency();
    const [mine, theirs] = [await suspensionOf(admin), await suspensionOf(clientUser)];
    assert.deepEqual([theirs.cause, theirs.reason, theirs.purgeAfter], ['deletion_approved', null, mine.purgeAfter]);
    assert.ok(mine.purgeAfter);
  });
});
