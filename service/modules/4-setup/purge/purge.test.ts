import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { checksumRows, fillAccount, findEverywhere } from '@partner-portal/tests/harness/account-rows.ts';
import { type ProvisioningService, startProvisioningService } from '@partner-portal/tests/harness/provisioning.ts';
import type { Person } from '@partner-portal/tests/harness/world.ts';
import { sql } from 'kysely';
import { TENANT_TABLES } from '#schema/tenant-tables.ts';
import { assertPurged, makeDue, runPurges, stateOf } from '@partner-portal/tests/harness/purge.ts';

const CANARY = 'canary7qx';
const NEIGHBOUR = 'neighbour4rt';
/** The remaining rows of an agency, with the canary where the filler put one; see docs/behaviour/purge.md. */
const KEPT = ['billing_order', 'invoice', 'invoice_line'];

describe('a purged agency', () => {
  let service: ProvisioningService;
  let requestId: string;
  const lines: string[] = [];
  let neighbour: Record<string, string>;
  let used: unknown[];
  const usedByAll = () =>
    service.db.asSystem('seed', async (tx) => {
      const sums = sql`select counter, sum(credits)::int as credits, sum(entries)::int as entries, sum(succeeded)::int as succeeded
        from usage_of_all('2000-01-01', '2100-01-01') group by 1 order by 1`;
      return (await sums.execute(tx)).rows;
    });

  before(async () => {
    service = await startProvisioningService({ logLine: (line) => lines.push(line) });
    const { partnerId, clientId, otherClientId, rivalPartnerId, rivalClientId } = service.world;
    const owners = (id: string, ...clients: string[]) => [null, ...clients].map((client) => ({ partnerId: id, clientId: client }));
    const tables = await fillAccount(service.database, owners(partnerId, clientId, otherClientId), CANARY);
    assert.ok(tables.length > 50, tables.join(', '));
    await fillAccount(service.database, owners(rivalPartnerId, rivalClientId), NEIGHBOUR);
    requestId = await makeDue(service, partnerId, null, CANARY);
    neighbour = await checksumRows(service.database, 't.partner_id = $1', [rivalPartnerId]);
    assert.ok(Object.keys(await findEverywhere(service.database, CANARY)).length > 50);
    lines.length = 0;
    used = await usedByAll();
    await runPurges(service);
  });
  after(() => service?.close());

  it('is in no table of any schema, and in no line of the log, but for what is kept', async () => {
    await assertPurged(service, requestId);
    assert.deepEqual(Object.keys(await findEverywhere(service.database, CANARY)), KEPT);
    assert.deepEqual(
      lines.filter((line) => line.includes(CANARY)),
      [],
    );
  });

  it('leaves the rows of others as they were', async () => {
    assert.deepEqual(await checksumRows(service.database, 't.partner_id = $1', [service.world.rivalPartnerId]), neighbour);
  });

  it('leaves the sums of all agencies what it used, also what was not folded or filled yet, and is in no sum by agency', async () => {
    assert.ok(used.length > 0);
    assert.deepEqual(await usedByAll(), used);
    const each = await service.db.asSystem('seed', (tx) =>
      sql`select from usage_of_each(${service.world.partnerId}, '2000-01-01', '2100-01-01')`.execute(tx),
    );
    assert.deepEqual(each.rows, []);
  });

  it('leaves a tombstone without names, its request and one line in the audit log', async () => {
    const { partnerId } = service.world;
    await service.db.asSystem('seed', async (tx) => {
      const partner = await tx.selectFrom('partner').selectAll().where('id', '=', partnerId).executeTakeFirstOrThrow();
      assert.deepEqual([partner.status, partner.name, partner.slug], ['deleted', 'Deleted agency', `deleted-${partnerId.slice(-12)}`]);
      const requests = await tx.selectFrom('deletionRequest').selectAll().where('partnerId', '=', partnerId).execute();
      assert.deepEqual(
        requests.map(({ id, status, accountName, reason, decisionNote }) => [id, status, accountName, reason, decisionNote]),
        [[requestId, 'completed', '', '', null]],
      );
      const entries = await tx.selectFrom('auditEntry').selectAll().where('partnerId', '=', partnerId).execute();
      assert.deepEqual(
        entries.map((entry) => [entry.action, entry.actorType, entry.targetId, entry.targetLabel]),
        [['account.purged', 'system', partnerId, null]],
      );
      const clients = await tx.selectFrom('client').select('id').where('partnerId', '=', partnerId).execute();
      assert.deepEqual(clients, []);
    });
  });

  it('counts the rows that each step removed', async () => {
    const { steps } = await stateOf(service, requestId);
    const counted = new Map(steps.map((step) => [step.name, Number(step.rowsRemoved)]));
    assert.ok((counted.get('delete_rows') ?? 0) > 100);
    assert.ok((counted.get('delete_files') ?? 0) > 5);
    assert.ok((counted.get('end_sessions') ?? 0) > 5);
  });

  it('has no session and no sign-in any more', async () => {
    const session = await service.call('GET', '/auth/me', { as: 'owner' });
    assert.equal(session.status, 401);
    assert.equal((await service.login('owner@portal.test')).status, 401);
    assert.equal((await service.call('GET', '/auth/me', { as: 'rivalOwner' })).status, 200);
  });

  it('is shown to staff with its steps, and to no agency', async () => {
    const shown = await service.call('GET', `/account-deletion/${requestId}/purge`, { as: 'staff' });
    assert.equal(shown.status, 200);
    assert.equal(shown.body.status, 'completed');
    assert.equal(shown.body.steps.length, 6);
    assert.equal((await service.call('GET', `/account-deletion/${requestId}/purge`, { as: 'rivalOwner' })).status, 404);
  });
});

describe('a purged client', () => {
  let service: ProvisioningService;
  let requestId: string;
  let others: Record<string, string>;
  let agency: Record<string, string>;
  /** The agency's own rows change nowhere but where the purge is recorded. */
  const OWN = 't.partner_id = $1 and t.client_id is null';

  before(async () => {
    service = await startProvisioningService();
    const { partnerId, clientId, otherClientId } = service.world;
    await fillAccount(service.database, [{ partnerId, clientId }], CANARY, (table) => TENANT_TABLES[table]?.client.how !== 'keep');
    await fillAccount(
      service.database,
      [null, otherClientId].map((client) => ({ partnerId, clientId: client })),
      NEIGHBOUR,
    );
    requestId = await makeDue(service, partnerId, clientId, CANARY);
    others = await checksumRows(service.database, 't.client_id = $1', [otherClientId]);
    agency = await checksumRows(service.database, OWN, [partnerId]);
    await runPurges(service);
  });
  after(() => service?.close());

  it('is found in what its agency keeps only', async () => {
    await assertPurged(service, requestId);
    assert.deepEqual(Object.keys(await findEverywhere(service.database, CANARY)), []);
  });

  it('leaves the other clients and the rows of the agency as they were', async () => {
    assert.deepEqual(await checksumRows(service.database, 't.client_id = $1', [service.world.otherClientId]), others);
    const now = await checksumRows(service.database, OWN, [service.world.partnerId]);
    assert.deepEqual({ ...now }, agency);
  });

  it('has no session any more, its agency and the other client have', async () => {
    assert.equal((await service.call('GET', '/auth/me', { as: 'clientUser' })).status, 401);
    for (const person of ['owner', 'otherClientUser'] as const)
      assert.equal((await service.call('GET', '/auth/me', { as: person })).status, 200);
  });

  it('is shown to staff with its problems, and to its agency without them', async () => {
    const problem = 'connect ECONNREFUSED 10.0.0.7:5432';
    await service.db.asSystem('seed', (tx) =>
      tx
        .updateTable('purgeStep')
        .set({ problem, tries: 1 })
        .where('deletionRequestId', '=', requestId)
        .where('name', '=', 'delete_rows')
        .execute(),
    );
    const read = (as: Person) => service.call('GET', `/account-deletion/${requestId}/purge`, { as });
    const [staff, owner] = [await read('staff'), await read('owner')];
    assert.deepEqual([staff.status, owner.status, owner.body.status, owner.body.steps.length], [200, 200, 'completed', 6]);
    const problems = ({ body }: typeof staff) => body.steps.flatMap((step: { problem: string | null }) => step.problem ?? []);
    assert.deepEqual([problems(staff), problems(owner)], [[problem], []]);
    assert.ok(!owner.text.includes('ECONNREFUSED'));
    assert.equal((await read('rivalOwner')).status, 404);
    assert.equal((await read('otherClientUser')).status, 403);
    assert.equal((await service.call('GET', `/account-deletion/${requestId}/purge/stream`, { as: 'rivalOwner' })).status, 404);
  });
});
