import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { ERRORS } from '@partner-portal/contract/errors.ts';
import { type AcceptDecision, BODY_PROBLEMS } from '@partner-portal/core/execution/acceptance.ts';
import { acceptItem } from '@partner-portal/tests/harness/accept-item.ts';
import { type ExecutionService, startExecutionService } from '@partner-portal/tests/harness/executions.ts';
import { addPartner, addWorkflow } from '@partner-portal/tests/harness/world.ts';
import { newId } from '#platform/ids.ts';
import { type CreditFacts, decideEvents, type EventFacts, freeFailures } from '#schema/models/accept-executions.ts';
import { type AcceptItem, acceptExecutions } from './store-accept.ts';

/** The SQL function and its model must make the same decision for every combination of problems. */

let service: ExecutionService;
before(async () => {
  service = await startExecutionService();
});
after(() => service.close());

type Subject = {
  workflowId: string;
  facts: Omit<EventFacts, 'isOverRate' | 'isReplay' | 'isOtherBody' | 'bodyProblem'>;
  credits: CreditFacts;
};

const COST = 2;
const ACCOUNTS: { [name: string]: string | null } = {
  active: null,
  'partner suspended': "update partner set status = 'suspended' where id = $1",
  'subscription expired': "update subscription set status = 'expired' where partner_id = $1",
};
const AGENTS: { [name: string]: string | null } = {
  on: null,
  off: 'update workflow set is_active = false where id = $1',
  'not installed': 'update workflow set provider_flow_id = null where id = $1',
};
const FAILED_FREE = 3;
/** Credits, and runs that failed today. Enough credits allow more failures than the setting. */
const LIMITS = [
  { limit: 100_000, failed: FAILED_FREE },
  { limit: 40, failed: FAILED_FREE - 1 },
  { limit: 40, failed: FAILED_FREE },
  { limit: COST - 1, failed: FAILED_FREE },
];
let partners = 0;

async function addSubjects(): Promise<Subject[]> {
  const subjects: Subject[] = [];
  for (const [account, suspend] of Object.entries(ACCOUNTS)) {
    for (const { limit, failed } of LIMITS) {
      const slug = `accept-${(partners += 1)}`;
      const partnerId = await service.db.asSystem('seed', (tx) =>
        addPartner(tx, { name: slug, slug, planId: service.world.planId, credits: limit }),
      );
      await service.query("update partner_quota set failed_on = (now() at time zone 'UTC')::date, failed_free = $2 where partner_id = $1", [
        partnerId,
        failed,
      ]);
      if (suspend) await service.query(suspend, [partnerId]);
      const templates = ['missed-call-text-back', 'lead-intake-cleaner', 'review-request'];
      for (const [index, [agent, change]] of Object.entries(AGENTS).entries()) {
        const workflowId = await service.db.asSystem('seed', (tx) =>
          addWorkflow(tx, { partnerId, clientId: null, templateName: templates[index] ?? '' }),
        );
        await service.query('update workflow set credits_per_run = $2 where id = $1', [workflowId, COST]);
        if (change) await service.query(change, [workflowId]);
        const facts = {
          partnerId,
          isFound: true,
          isAccountActive: account === 'active',
          isWorkflowActive: agent === 'on',
          cost: COST,
        };
        subjects.push({ workflowId, facts, credits: { taken: 0, limit, failed, failedFree: freeFailures(limit, FAILED_FREE) } });
      }
    }
  }
  return subjects;
}

/** Every combination of problems of an event for this workflow. */
function combinations({ workflowId, facts }: Subject, usedKey: Buffer): { item: AcceptItem; facts: EventFacts }[] {
  const otherPartner = newId();
  return [true, false].flatMap((isFound) =>
    [false, true].flatMap((isOverRate) =>
      (['none', 'same', 'other'] as const).flatMap((key) =>
        [null, ...BODY_PROBLEMS].map((bodyProblem) => ({
          item: acceptItem(workflowId, {
            overRate: isOverRate,
            bodyProblem,
            keyHash: key === 'none' ? null : usedKey,
            bodyHash: Buffer.from(key === 'other' ? 'another body' : 'the body'),
            scopePartner: isFound ? null : otherPartner,
          }),
          facts: { ...facts, isFound, isOverRate, isReplay: key !== 'none', isOtherBody: key === 'other', bodyProblem },
        })),
      ),
    ),
  );
}

describe('accept_executions decides as core does', () => {
  it('for every combination of problems', async () => {
    const subjects = await addSubjects();
    const usedKey = Buffer.from('used before');
    for (const { workflowId, facts } of subjects)
      await service.query(
        'insert into idempotency_key (partner_id, scope, key_hash, execution_id, body_hash) values ($1, $2, $3, $4, $5)',
        [facts.partnerId, workflowId, usedKey, newId(), Buffer.from('the body')],
      );
    const events = subjects.flatMap((subject) => combinations(subject, usedKey));
    const results = await acceptExecutions(
      service.db,
      events.map((one) => one.item),
      FAILED_FREE,
    );
    const decided = decideEvents(
      events.map((one) => one.facts),
      new Map(subjects.map((one) => [one.facts.partnerId, one.credits])),
    );
    assert.deepEqual(
      results.map((one) => one.outcome),
      decided,
    );
    const seen = new Set<string>(decided);
    const all: AcceptDecision[] = [
      'accepted',
      'not_found',
      'account_suspended',
      'workflow_inactive',
      'rate_limited',
      'replayed',
      'idempotency_key_reused',
      'quota_exceeded',
      'failures_exceeded',
    ];
    assert.deepEqual([...seen].toSorted(), [...all, ...BODY_PROBLEMS].toSorted(), 'each decision is among the combinations');

    const logged = await service.query<{ reason: keyof typeof ERRORS | 'failures_exceeded'; status: number }>(
      'select distinct reason, status from inbound_event where reason is not null and workflow_id = any($1)',
      [subjects.map((one) => one.workflowId)],
    );
    assert.equal(logged.length, all.length - 3 + BODY_PROBLEMS.length);
    for (const { reason, status } of logged) {
      const code = reason === 'failures_exceeded' ? 'rate_limited' : reason;
      assert.equal(status, ERRORS[code].status, `the status logged for ${reason}`);
    }
  });

  it('for batches that share the last credits of a partner, which end as if their events came one by one', async () => {
    let again = 0;
    for (let round = 0; round < 30; round += 1) {
      const slug = `accept-${(partners += 1)}`;
      const limit = 5 + (round % 9);
      const { partnerId, workflows } = await service.db.asSystem('seed', async (tx) => {
        const id = await addPartner(tx, { name: slug, slug, planId: service.world.planId, credits: limit });
        const added = [];
        for (const templateName of ['missed-call-text-back', 'lead-intake-cleaner', 'review-request'])
          added.push(await addWorkflow(tx, { partnerId: id, clientId: null, templateName }));
        return { partnerId: id, workflows: added };
      });
      for (const [index, workflowId] of workflows.entries())
        await service.query('update workflow set credits_per_run = $2 where id = $1', [workflowId, index * 2 + 1]);
      const taken = round % 4;
      await service.query('update partner_quota set used = $2, in_flight = $3 where partner_id = $1', [partnerId, taken, round % 2]);
      const events = Array.from({ length: 8 }, (_, index) => {
        const choice = (round * 7 + index * 5 + ((round * index) % 3)) % 3;
        const bodyProblem = (round + index) % 4 === 0 ? ('missing_input' as const) : null;
        return {
          item: acceptItem(workflows[choice] ?? '', { bodyProblem }),
          facts: {
            partnerId,
            isFound: true,
            isAccountActive: true,
            isWorkflowActive: true,
            isOverRate: false,
            isReplay: false,
            isOtherBody: false,
            bodyProblem,
            cost: choice * 2 + 1,
          },
        };
      });
      let used = taken + (round % 2);
      const decide = (batch: typeof events) => {
        const decided = decideEvents(
          batch.map((one) => one.facts),
          new Map([[partnerId, { taken: used, limit, failed: 0, failedFree: FAILED_FREE }]]),
        );
        for (const [at, { facts }] of batch.entries()) if (decided[at] === 'accepted') used += facts.cost;
        return decided;
      };
      const good = events.filter(({ facts }) => facts.bodyProblem === null);
      const expected = good.flatMap((one) => decide([one]));
      used = taken + (round % 2);
      const found = new Map<AcceptItem, string>();
      for (let batch = events; batch.length > 0; batch = batch.filter(({ item }) => found.get(item) === 'retry')) {
        if (batch.length < events.length) again += 1;
        const results = await acceptExecutions(
          service.db,
          batch.map((one) => one.item),
          FAILED_FREE,
        );
        for (const [at, { item }] of batch.entries()) found.set(item, results[at]?.outcome ?? '');
        assert.deepEqual(
          batch.map(({ item }) => found.get(item)),
          decide(batch),
          `round ${round}`,
        );
      }
      assert.deepEqual(
        good.map(({ item }) => found.get(item)),
        expected,
        `round ${round}`,
      );
    }
    assert.ok(again > 0);
  });

  it('for runs of chatbots, which take their share alone and no credits from events of their batch', async () => {
    const seen = new Set<string>();
    for (let round = 0; round < 60; round += 1) {
      const slug = `accept-${(partners += 1)}`;
      const [limit, sharePercent] = [20 + (round % 3) * 7, [100, 40, 25, 0][round % 4] ?? 0];
      const { partnerId, workflowId } = await service.db.asSystem('seed', async (tx) => {
        const id = await addPartner(tx, { name: slug, slug, planId: service.world.planId, credits: limit });
        return {
          partnerId: id,
          workflowId: await addWorkflow(tx, { partnerId: id, clientId: null, templateName: 'missed-call-text-back' }),
        };
      });
      await service.query('update workflow set credits_per_run = $2 where id = $1', [workflowId, COST]);
      const [taken, chatTaken] = [(round * 5) % limit, (round * 3) % 7];
      await service.query('update partner_quota set used = $2, chat_used = $3, chat_share_percent = $4 where partner_id = $1', [
        partnerId,
        taken,
        chatTaken,
        sharePercent,
      ]);
      const events = Array.from({ length: 6 }, (_, index) => {
        const isChat = (round + index * 7) % 3 !== 0;
        const bodyProblem = (round + index) % 5 === 0 ? ('missing_input' as const) : null;
        const standing = {
          isFound: true,
          isAccountActive: true,
          isWorkflowActive: true,
          isOverRate: false,
          isReplay: false,
          isOtherBody: false,
        };
        return {
          item: acceptItem(workflowId, { source: isChat ? 'chatbot' : 'ingest', bodyProblem }),
          facts: { partnerId, ...standing, bodyProblem, cost: COST, isChat },
        };
      });
      const results = await acceptExecutions(
        service.db,
        events.map((one) => one.item),
        FAILED_FREE,
      );
      const chat = { taken: chatTaken, sharePercent };
      const decided = decideEvents(
        events.map((one) => one.facts),
        new Map([[partnerId, { taken, limit, failed: 0, failedFree: FAILED_FREE, chat }]]),
      );
      assert.deepEqual(
        results.map((one) => one.outcome),
        decided,
        `round ${round}`,
      );
      const accepted = events.filter((_, at) => decided[at] === 'accepted');
      const [quota] = await service.query<{ inFlight: number; chatInFlight: number }>(
        'select in_flight as "inFlight", chat_in_flight as "chatInFlight" from partner_quota where partner_id = $1',
        [partnerId],
      );
      const chats = accepted.filter(({ facts }) => facts.isChat).length;
      assert.deepEqual([quota?.inFlight, quota?.chatInFlight], [accepted.length * COST, chats * COST]);
      for (const decision of decided) seen.add(decision);
    }
    assert.deepEqual([...seen].toSorted(), ['accepted', 'chat_budget_exceeded', 'missing_input', 'quota_exceeded', 'retry']);
  });
});
