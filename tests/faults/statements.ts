import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, it, type TestContext } from 'node:test';
import { type System, until } from '../harness/system.ts';
import { addAgents, assertEachEndedOnce, loadEvents, type Loaded } from './events.ts';

// Statements per execution, counted by the database: work that is not batched or grows with the data shows here first.

const ACCEPT_MAX = 4;
const RUN_MAX = 12;
const RUNS = 20;

let system: System;
let agents: string[];

/** Statements by role, as the server logged them in each turn of the work. */
async function countStatements(turns: number, work: (turn: number) => Promise<void>): Promise<Map<string, string[]>[]> {
  const log = (): string => readFileSync(join(system.dataDir, 'postgres', 'server.log'), 'utf8');
  const marked = async (mark: string): Promise<number> => {
    // The settings reach sessions one by one: only a line that was logged proves that they have.
    await until('the mark is in the log', async () => {
      await system.query(`select '${mark}'`);
      return log().includes(mark);
    });
    return log().length;
  };
  for (const setting of [`log_line_prefix = '%u|'`, `log_statement = 'all'`]) await system.query(`alter system set ${setting}`);
  await system.query('select pg_reload_conf()');
  const ends = [await marked('counting starts')];
  for (let turn = 0; turn < turns; turn += 1) {
    await work(turn);
    ends.push(await marked(`turn ${turn} is over`));
  }
  await system.query(`alter system set log_statement = 'none'`);
  await system.query('select pg_reload_conf()');
  const logged = log();
  return ends.slice(1).map((end, turn) => {
    const byRole = new Map<string, string[]>();
    for (const [, role = '', text = ''] of logged.slice(ends[turn], end).matchAll(/^(\w+)\|LOG: {2}(?:statement|execute [^:]*): (.*)$/gm))
      byRole.set(role, [...(byRole.get(role) ?? []), text]);
    return byRole;
  });
}

/** What most events cost at the most: maintenance runs once a minute and is not the cost of an event. */
function median(counts: readonly number[]): number {
  return counts.toSorted((a, b) => a - b)[Math.floor(counts.length / 2)] ?? 0;
}

/** What the dispatcher, the report and the waiting loops send; the rest of the service's statements belong to the acceptance. */
const LATER =
  /claim_dispatches|settle_dispatches|claim_expired_dispatches|report_facts|finish_executions|overdue_executions|unreported_flows|claim_deliveries|(has|take)_due_events|^LISTEN|^select 1$/i;
/** Polling loops, which run without any event. */
const IDLE = /claim_expired_dispatches|overdue_executions|unreported_flows|claim_deliveries|(has|take)_due_events/;

/** No other test may send events meanwhile. */
export function testStatements(open: () => Promise<Loaded>): void {
  before(async () => {
    const { workspace, ...loaded } = await open();
    ({ system } = loaded);
    agents = await addAgents(system, workspace);
    // Once before counting: what is looked up once per agent and kept is not the cost of an event.
    await assertEachEndedOnce(system, await loadEvents(system, agents, agents.length));
  });

  describe('one event after the other, none batched with another', () => {
    it(`costs at most ${ACCEPT_MAX} statements to accept and ${RUN_MAX} until its run is metered`, async (context: TestContext) => {
      const counted = await countStatements(RUNS, async (turn) => {
        const accepted = await loadEvents(system, [agents[turn % agents.length] ?? ''], 1, new Map(), 1);
        assert.equal(accepted.size, 1);
        await assertEachEndedOnce(system, accepted);
      });
      const sent = counted.map((byRole) => byRole.get('portal_service') ?? []);
      const accept = median(sent.map((texts) => texts.filter((text) => !LATER.test(text)).length));
      const run = median(sent.map((texts) => texts.filter((text) => !IDLE.test(text)).length));
      const engine = median(counted.map((byRole) => byRole.get('portal_engine')?.length ?? 0));
      const service = sent.flat();
      context.diagnostic(`per event: ${accept} to accept, ${run} until it is metered; the engine: ${engine}`);
      assert.ok(
        accept >= 1 && accept <= ACCEPT_MAX,
        `${accept} statements to accept one event: ${[...new Set(service.filter((text) => !LATER.test(text)))].join('\n')}`,
      );
      assert.ok(run >= accept && run <= RUN_MAX, `${run} statements for one run: ${[...new Set(service)].join('\n')}`);
    });
  });
}
