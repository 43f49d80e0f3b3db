import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { crossThresholds } from '#schema/models/settle-quota.ts';
import { type ExecutionService, startExecutionService } from '@partner-portal/tests/harness/executions.ts';
import { newId } from '#platform/ids.ts';
import { listNewConditions } from './store-conditions.ts';

let service: ExecutionService;
before(async () => {
  service = await startExecutionService();
});
after(() => service.close());

it('the condition of a usage alert is the highest announced threshold that core finds exceeded', async () => {
  const cases = [[50, 80, 100], [100, 80, 50], [], [75]].flatMap((thresholds) =>
    [0, 7, 200].flatMap((limit) =>
      [0, 50, 75, 80, 100].flatMap((announced) =>
        [0, 0.49, 0.5, 0.8, 0.995, 1, 1.5].map((part) => {
          const used = Math.floor(limit * part);
          return { partnerId: newId(), thresholds, limit, announced, used };
        }),
      ),
    ),
  );
  await service.query(
    `with partners as (insert into partner (id, name, slug) select (c->>'partnerId')::uuid, 'x', 'usage-' || (c->>'partnerId') from jsonb_array_elements($1::jsonb) c returning id)
      insert into partner_quota (partner_id, period_start, period_end, period_anchor, monthly_credits, used, highest_threshold, thresholds)
      select p.id, now() - interval '1 day', now() + interval '1 day', now() + interval '1 day', (c->>'limit')::int, (c->>'used')::int, (c->>'announced')::int,
        array(select jsonb_array_elements_text(c->'thresholds')::int)
      from partners p join jsonb_array_elements($1::jsonb) c on (c->>'partnerId')::uuid = p.id`,
    [JSON.stringify(cases)],
  );
  const ids = cases.map(({ partnerId }) => partnerId);
  const found = await service.db.asSystem('sweep', (tx) => listNewConditions(tx, ids, 10_000));
  const alerts = new Map(found.filter(({ rule }) => rule === 'usage_threshold').map((one) => [one.partnerId, one.subjectId]));
  for (const { partnerId, thresholds, limit, announced, used } of cases) {
    const known = thresholds.filter((percent) => percent <= announced);
    const highest = crossThresholds({ thresholds: known, announced: 0, used, limit }).crossed.at(-1);
    assert.equal(alerts.get(partnerId), highest?.toString(), JSON.stringify({ thresholds, limit, announced, used }));
  }
  assert.ok(alerts.size > 100);
});
