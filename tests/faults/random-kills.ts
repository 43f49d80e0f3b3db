import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { before, describe, it, type TestContext } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { isFull } from '../harness/full.ts';
import { type System, until } from '../harness/system.ts';
import { addAgents, FELL_WITH, type Loaded } from './events.ts';
import { killJourney } from './kill-journey.ts';

// Events keep arriving while processes are killed at random moments, also during their start. TEST_FULL=true: the long journey. TEST_SEED: one again.

// Enough agents that none exceeds its limit of 60 events a minute.
const SHAPE = isFull ? { perSecond: 300, agents: 400, kills: 20 } : { perSecond: 12, agents: 18, kills: 3 };
const LOOK_MS = 500;
const seed = Number(process.env['TEST_SEED'] ?? randomInt(1_000_000));

let system: System;
let agents: string[];

const count = async (text: string, values: unknown[] = []): Promise<number> =>
  Number((await system.query<{ count: string }>(text, values))[0]?.count ?? 0);

/** Returns the distinct causes of 500s that the service logged. */
function failures(log: string): string[] {
  const lines = log.split('\n').filter((line) => line.includes('"request failed"') && !line.includes('"service_unavailable"'));
  return [...new Set(lines.map((line) => /"err":.*/.exec(line)?.[0].slice(0, 600) ?? line))].slice(0, 5);
}

export function testRandomKills(open: () => Promise<Loaded>): void {
  let startedAt: string;
  before(async () => {
    const { workspace, ...loaded } = await open();
    ({ system } = loaded);
    agents = await addAgents(system, workspace, SHAPE.agents);
    await system.query('update partner_quota set purchased_credits = purchased_credits + 1000000');
    const [row] = await system.query<{ at: string }>('select now()::text as at');
    startedAt = row?.at ?? '';
  });

  describe(`${SHAPE.kills} kills of service, engine and Postgres at ${SHAPE.perSecond} events/s over ${SHAPE.agents} agents`, () => {
    it('lose no accepted event, run none twice, and leave none to its timeout', async (context: TestContext) => {
      context.diagnostic(`TEST_SEED=${seed}`);
      const toll = await killJourney(system, agents, { seed, ...SHAPE });
      const open = () =>
        count(`select (select count(*) from execution where status = 'RUNNING') + (select count(*) from dispatch) as count`);
      const left = await open();
      // Back off: each poll opens a connection and slows the system under test.
      await until('every run has ended', async () => (await delay(LOOK_MS), (await open()) === 0));
      const seconds = ((performance.now() - toll.backAt) / 1000).toFixed(1);
      const gaps = Object.entries(toll.longestGapMs).map(([victim, ms]) => `${victim} ${(ms / 1000).toFixed(1)} s`);
      context.diagnostic(`killed: ${toll.killed.join(', ')}`);
      context.diagnostic(`starts: ${toll.starts.join('; ')}`);
      context.diagnostic(`answers: ${[...toll.answers].map(([status, n]) => `${status} × ${n}`).join(', ')}`);
      context.diagnostic(
        `no event accepted for at most: ${gaps.join(', ')}; ${left} runs open after the last return, all ended ${seconds} s after it`,
      );

      const ids = [...toll.accepted];
      assert.ok(ids.length > 0);
      const unexpected = [...toll.answers.keys()].filter((status) => !['202', '503', 'refused'].includes(status));
      assert.deepEqual(unexpected, [], `the log: ${failures(system.log()).join('\n')}`);
      assert.equal(await count('select count(*) from execution where id = any($1)', [ids]), ids.length, 'none lost');
      const failed = await system.query(
        `select error_code, count(*)::int from execution where status = 'FAILED' and error_code <> all($2) and started_at >= $1 group by 1`,
        [startedAt, Object.values(FELL_WITH)],
      );
      assert.deepEqual(
        failed,
        [],
        'the provider falls with the service and with Postgres; nothing else fails a run, and none waited for its timeout',
      );
      const twice = await system.query(`select input::json->'body'->>'executionId' as id from engine.run group by 1 having count(*) > 1`);
      assert.deepEqual(twice, [], 'none handed over twice');
      const [ledger] = await system.query(
        `select (select count(*)::int from execution where status = 'SUCCEEDED') as succeeded,
           (select count(distinct execution_id)::int from usage_entry where kind = 'run') as metered, (select count(*)::int from usage_entry where kind = 'run') as entries,
           (select sum(used)::int from partner_quota) as used, (select -sum(credits)::int from usage_entry) as charged, (select sum(in_flight)::int from partner_quota) as held`,
      );
      assert.deepEqual(
        [ledger?.['metered'], ledger?.['entries'], ledger?.['used'], ledger?.['held']],
        [ledger?.['succeeded'], ledger?.['succeeded'], ledger?.['charged'], 0],
        'each metered once',
      );
    });
  });
}
