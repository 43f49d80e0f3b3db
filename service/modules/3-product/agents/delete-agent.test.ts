import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { callbackToken, ingestToken } from '@partner-portal/core/execution/token.ts';
import { type ProvisioningService, startProvisioningService } from '@partner-portal/tests/harness/provisioning.ts';
import { addClient } from '@partner-portal/tests/harness/world.ts';
import { sql } from 'kysely';

let service: ProvisioningService;

before(async () => {
  service = await startProvisioningService();
});
after(() => service.close());
beforeEach(async () => {
  service.wire.around = undefined;
  await service.forget();
  for (const { id } of await service.client.listConnections(service.projectId)) await service.client.deleteConnection(id);
  await query(sql`delete from agent_removal`);
  for (const provider of ['twilio', 'resend', 'calcom', 'openai']) await service.saveKey(provider);
});

const NAMES = ['missed-call-text-back', 'review-request'];
const query = async <Row>(text: ReturnType<typeof sql<Row>>): Promise<Row[]> =>
  (await service.db.asSystem('seed', (tx) => text.execute(tx))).rows;

/** Installs the templates for the first client. Returns the agents' ids by template. */
async function install(templateNames = NAMES): Promise<Record<string, string>> {
  const { partnerId, clientId } = service.world;
  const [instance] = await query(sql<{ status: string }>`select status from automation_instance where partner_id = ${partnerId}::uuid`);
  const verb = instance?.status === 'ready' ? 'reprovision' : 'provision';
  const made = await service.call('POST', `/partners/${partnerId}/automation/${verb}`, { as: 'staff', body: { templateNames, clientId } });
  assert.equal(made.body.status, 'succeeded', made.text);
  const rows = await query(
    sql<{ id: string; templateName: string }>`select id, template_name from workflow where client_id = ${clientId}::uuid`,
  );
  return Object.fromEntries(rows.map((row) => [row.templateName, row.id]));
}
const remove = (id: string, as: 'owner' | 'staff' = 'owner') => service.call('DELETE', `/agents/${id}`, { as });
const flowsOf = (id: string) => service.client.listFlows(service.projectId, id, (tag) => tag['workflowId'] === id);
const connections = async (): Promise<string[]> =>
  (await service.client.listConnections(service.projectId)).map((one) => one.externalId.replace(/^.*_/, '')).toSorted();
const removalOf = async (id: string) => {
  const [row] = await query(
    sql<{
      dueAt: Date | null;
      endedAt: Date | null;
      lastError: string | null;
      attempts: number;
    }>`select due_at, ended_at, last_error, attempts from agent_removal where workflow_id = ${id}::uuid`,
  );
  return row;
};
const heldCredits = async (): Promise<number | undefined> =>
  (await query(sql<{ inFlight: number }>`select in_flight from partner_quota where partner_id = ${service.world.partnerId}::uuid`))[0]
    ?.inFlight;
const makeDue = () => query(sql`update agent_removal set due_at = now() - interval '1 second' where due_at is not null`);
const ingest = (id: string) =>
  service.call('POST', `/webhooks/agents/${id}?token=${ingestToken(service.callbackSecret.reveal(), id)}`, {
    body: { callerNumber: '+13125550121', businessNumber: '+13125550100' },
  });

describe('deleting an agent', () => {
  it('deletes its flow and what only it needed from the engine, not what others need, and its ingest URL is unknown', async () => {
    const agents = await install();
    const id = agents['review-request'] ?? '';
    const other = agents['missed-call-text-back'] ?? '';
    assert.deepEqual(await connections(), ['resend', 'twilio']);
    assert.equal((await flowsOf(id)).length, 1);
    assert.equal((await remove(id)).status, 204);
    assert.deepEqual([(await flowsOf(id)).length, (await flowsOf(other)).length], [0, 1]);
    assert.deepEqual(await connections(), ['twilio']);
    assert.ok((await removalOf(id))?.endedAt);
    assert.equal((await ingest(id)).status, 404);
    assert.equal((await ingest(other)).status, 202);
    for (const path of [`/agents/${id}`, `/workflows/${id}`, `/workflows/${id}/schedule`]) {
      assert.equal((await service.call('GET', path, { as: 'owner' })).status, 404, path);
    }
    assert.equal((await remove(id)).status, 404);
    const [line] = await query(
      sql<{ action: string; targetId: string }>`select action, target_id from audit_entry where action = 'agent.deleted' order by id desc`,
    );
    assert.equal(line?.targetId, id);
  });

  it('is allowed to staff and partner admins only', async () => {
    const { 'missed-call-text-back': id = '' } = await install();
    await service.assertRefused('DELETE', `/agents/${id}`, {
      moderator: 'partner_role_forbidden',
      clientUser: 'role_forbidden',
      rivalOwner: 'not_found',
    });
    assert.equal((await flowsOf(id)).length, 1);
    assert.equal((await remove(id, 'staff')).status, 204);
  });

  it('leaves its executions, fails queued ones, and lets those in progress report', async () => {
    const { 'missed-call-text-back': id = '' } = await install();
    const heldBefore = await heldCredits();
    const under = (await ingest(id)).body.executionId;
    // The engine has it, so only its report ends it.
    await query(sql`delete from dispatch where execution_id = ${under}::uuid`);
    const waiting = (await ingest(id)).body.executionId;
    assert.equal((await remove(id)).status, 204);
    const runOf = async (run: string) => (await service.call('GET', `/executions/${run}`, { as: 'owner' })).body;
    const ended = await runOf(waiting);
    assert.deepEqual([ended.status, ended.error.code], ['FAILED', 'dispatch_failed']);
    assert.match(ended.error.message, /was deleted before this run started/);
    assert.equal((await runOf(under)).status, 'RUNNING');
    assert.equal((await flowsOf(id)).length, 1, 'the flow stays while one of its executions is in progress');
    const report = await service.call('POST', '/executions/webhook', {
      headers: { 'x-callback-token': callbackToken(service.callbackSecret.reveal(), under) },
      body: { executionId: under, workflowId: id, status: 'SUCCEEDED', output: { contacted: '+13125550121' } },
    });
    assert.deepEqual([report.status, report.body.applied], [200, true]);
    const reported = await runOf(under);
    assert.deepEqual([reported.status, reported.creditsCharged, reported.agentName], ['SUCCEEDED', 1, 'Removed agent']);
    assert.deepEqual(
      await query(sql`select 1 from workflow_contact where workflow_id = ${id}::uuid`),
      [],
      'no contact is stored for a deleted agent',
    );
    await makeDue();
    await service.agents.sweepRemovals();
    assert.equal((await flowsOf(id)).length, 0);
    assert.ok((await removalOf(id))?.endedAt);
    assert.equal(await heldCredits(), heldBefore);
  });

  it('succeeds for the caller while the engine is down, and the sweep completes it later', async () => {
    const { 'missed-call-text-back': id = '' } = await install(['missed-call-text-back']);
    service.wire.around = () => Promise.reject(new Error('the engine is away'));
    assert.equal((await remove(id)).status, 204);
    assert.equal((await ingest(id)).status, 404);
    const away = await removalOf(id);
    assert.deepEqual([away?.endedAt, away?.attempts], [null, 1]);
    assert.ok(away?.lastError);
    assert.equal(await service.agents.sweepRemovals(), 0, 'not before its time');
    await makeDue();
    await service.agents.sweepRemovals();
    assert.equal((await removalOf(id))?.attempts, 2);
    service.wire.around = undefined;
    await makeDue();
    await service.agents.sweepRemovals();
    assert.deepEqual([(await flowsOf(id)).length, await connections()], [0, []]);
    assert.ok((await removalOf(id))?.endedAt);
  });

  it('is completed after a crash at any point', async () => {
    // Crashes at each call to the engine in turn, after the call was made and before its response is read.
    for (let crashAt = 1; crashAt <= 6; crashAt += 1) {
      const { 'missed-call-text-back': id = '' } = await install(['missed-call-text-back']);
      let calls = 0;
      service.wire.around = async (call, send) => {
        calls += 1;
        if (calls < crashAt) return send(call);
        if (calls === crashAt) await send(call);
        throw new Error('the process crashed');
      };
      assert.equal((await remove(id)).status, 204);
      service.wire.around = undefined;
      await query(sql`update engine_connection set claimed_until = now() - interval '1 second' where claimed_until is not null`);
      await makeDue();
      await service.agents.sweepRemovals();
      assert.deepEqual([(await flowsOf(id)).length, await connections()], [0, []], `crashed at call ${crashAt}`);
      assert.deepEqual(await query(sql`select 1 from engine_connection`), []);
    }
  });

  it('is refused during a provisioning attempt, which could recreate its flow', async () => {
    const { 'missed-call-text-back': id = '' } = await install();
    const { partnerId } = service.world;
    await query(sql`update automation_instance set status = 'provisioning' where partner_id = ${partnerId}::uuid`);
    const refused = await remove(id);
    assert.deepEqual([refused.status, refused.body.code], [409, 'provision_in_progress']);
    await query(sql`update automation_instance set status = 'ready' where partner_id = ${partnerId}::uuid`);
    assert.equal((await remove(id)).status, 204);
  });

  it('allows installing it again, with another id and another ingest URL', async () => {
    const { 'missed-call-text-back': id = '' } = await install(['missed-call-text-back']);
    assert.equal((await remove(id)).status, 204);
    const { 'missed-call-text-back': again = '' } = await install(['missed-call-text-back']);
    assert.notEqual(again, id);
    assert.equal((await ingest(again)).status, 202);
    assert.deepEqual([(await flowsOf(again)).length, (await flowsOf(id)).length, await connections()], [1, 0, ['twilio']]);
  });

  it('leaves a connection that another agent was bound to concurrently', async () => {
    const { 'missed-call-text-back': id = '' } = await install(['missed-call-text-back']);
    let isAdded = false;
    service.wire.around = async (call, send) => {
      // Between check and deletion an agent that needs the same key is installed.
      if (!isAdded && call.method === 'DELETE' && call.url.includes('/app-connections/')) {
        isAdded = true;
        await install(['review-request']);
      }
      return send(call);
    };
    assert.equal((await remove(id)).status, 204);
    assert.ok(isAdded);
    service.wire.around = undefined;
    await service.runner.drain();
    assert.deepEqual(await connections(), ['resend', 'twilio']);
    const rows = await query(sql<{ status: string }>`select status from engine_connection`);
    assert.deepEqual(
      rows.map((row) => row.status),
      ['live', 'live'],
    );
  });

  it('searches the engine only for the tag of an agent that was never installed', async () => {
    const { partnerId } = service.world;
    const clientId = await service.db.asSystem('seed', (tx) => addClient(tx, partnerId, 'New client'));
    const made = await service.call('POST', '/agents', { as: 'staff', body: { partnerId, clientId, templateName: 'lead-qualifier' } });
    assert.equal((await remove(made.body.id)).status, 204);
    assert.ok((await removalOf(made.body.id))?.endedAt);
  });
});
