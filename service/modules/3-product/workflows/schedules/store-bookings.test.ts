import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { type ExecutionService, startExecutionService } from '@partner-portal/tests/harness/executions.ts';
import { addClient } from '@partner-portal/tests/harness/world.ts';
import { newId } from '#platform/ids.ts';
import { claimBookingPoll } from './store-bookings.ts';

let service: ExecutionService;
before(async () => {
  service = await startExecutionService();
});
after(() => service.close());

/** One state of partner, subscription, client and agent; what is not named is active. */
type State = { partner?: string; subscription?: string; client?: string; isActive?: boolean; isInstalled?: boolean };
const ACCOUNTS: State[] = [
  {},
  { partner: 'suspended' },
  ...['trialing', 'expired', 'suspended', 'cancelled'].map((subscription) => ({ subscription })),
  ...['suspended', 'archived'].map((client) => ({ client })),
];
const AGENTS: State[] = [{}, { isActive: false }, { isInstalled: false }];
const REFUSALS: unknown[] = ['account_suspended', 'workflow_inactive'];

it('a booking poll is refused for the reason for which an event would be refused, in every state of account and agent', async () => {
  const { partnerId } = service.world;
  const clientId = await service.db.asSystem('seed', (tx) => addClient(tx, partnerId, 'A client'));
  const id = await service.addAgent({ clientId, templateName: 'appointment-reminder' });
  await service.query("insert into workflow_schedule (workflow_id, partner_id, every, at, timezone, enabled, due_at, kind) values ($1, $2, 'hour', '00:00', 'UTC', true, now(), 'bookings')", [id, partnerId]); // prettier-ignore
  const seen: unknown[] = [];
  for (const state of ACCOUNTS.flatMap((account) => AGENTS.map((agent) => ({ ...account, ...agent })))) {
    await service.query('update partner set status = $2 where id = $1', [partnerId, state.partner ?? 'active']);
    await service.query('update subscription set status = $2 where partner_id = $1', [partnerId, state.subscription ?? 'active']);
    await service.query('update client set status = $2 where id = $1', [clientId, state.client ?? 'active']);
    await service.query('update workflow set is_active = $2, provider_flow_id = $3 where id = $1', [
      id,
      state.isActive ?? true,
      (state.isInstalled ?? true) ? 'flow-1' : null,
    ]);
    await service.query(
      "update workflow_schedule set due_at = now() - interval '1 second', claimed_by = null, claimed_until = null where workflow_id = $1",
      [id],
    );
    const { body } = await service.ingest(id, {});
    const code: unknown = body.code;
    const poll = await service.db.asSystem('sweep', (tx) => claimBookingPoll(tx, { by: newId(), now: new Date(Date.now() + 60_000), leaseSeconds: 60 })); // prettier-ignore
    assert.equal(poll?.refusal ?? null, REFUSALS.includes(code) ? code : null, JSON.stringify({ ...state, code }));
    assert.equal(poll?.workflowId, id);
    seen.push(poll.refusal);
  }
  assert.deepEqual(
    [null, ...REFUSALS].map((refusal) => seen.filter((one) => one === refusal).length),
    [2, 18, 4],
  );
});
