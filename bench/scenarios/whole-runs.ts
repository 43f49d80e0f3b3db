import { loadavg } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { ingestToken } from '@partner-portal/core/execution/token.ts';
import { DEMO } from '@partner-portal/service/quick-start/seed-workspace.ts';
import { addAgents } from '@partner-portal/tests/faults/events.ts';
import { DEMO_PASSWORD, postmasterPid, seedDemo, startSystem, type System } from '@partner-portal/tests/harness/system.ts';
import { costsSince, costText, readCosts } from '../support/cpu.ts';
import { timingText } from '../support/measure.ts';
import { startLoad } from '../support/start-load.ts';

type Shape = { perSecond: number; seconds: number };

/** An agent takes sixty events a minute. */
const PER_SECOND_OF_AGENT = 0.75;
const CONNECTIONS = 128;
/** No two agents get the same events in the same order: the number shares no factor with that of agents. */
const CALLERS = 9_973;
const LOOK_MS = 500;
/** Longest wait for runs that are left: ten minutes of a burst leave work for twenty more. */
const WORK_OFF_SECONDS = 90;

/** A hundred whole runs a second on one machine, for half a minute (`runs=600`: ten): accepted, executed by the embedded engine, metered and shown. */
export function benchRuns(say: (line: string) => void, seconds = 30): Promise<void> {
  return benchWholeRuns({ perSecond: 100, seconds }, say);
}

/** Three hundred events a second for half a minute (`burst=600`: the ten of the promise), then what is left is worked off. */
export function benchBurst(say: (line: string) => void, seconds = 30): Promise<void> {
  return benchWholeRuns({ perSecond: 300, seconds }, say);
}

/** The whole product with its own engine, Postgres and provider sandbox, and the load, all on this machine. Each run sends a text. */
async function benchWholeRuns({ perSecond, seconds }: Shape, say: (line: string) => void): Promise<void> {
  const system = await startSystem({ env: { LOG_LEVEL: 'warn' } });
  try {
    const agents = await addAgents(system, await seedDemo(system), Math.ceil(perSecond / PER_SECOND_OF_AGENT));
    await system.query('update partner_quota set purchased_credits = purchased_credits + 1000000');
    const load = await startCalls(system, agents);
    try {
      // Compiles what runs often, and fills the pools.
      await load.ask({ kind: 'offered', connections: CONNECTIONS, perSecond: 50, seconds: 4 });
      await workOff(system, 60);
      const parts = { 'service and engine': system.pid(), postgres: postmasterPid(system.dataDir) ?? 0 };
      const beganAt = new Date();
      const [before, costs, machine] = [await readSums(system, beganAt), readCosts(parts), loadavg()[0]];
      const result = await load.ask({ kind: 'offered', connections: CONNECTIONS, perSecond, seconds });
      say(
        `accepted   ${result.accepted} in ${seconds} s, refused ${result.refused}, failed ${result.failed}; ${timingText(result.timing)}`,
      );
      const left = await countOpen(system);
      const endedMeanwhile = result.accepted - left;
      const workedOff = await workOff(system, WORK_OFF_SECONDS);
      const after = await readSums(system, beganAt);
      const ended = after.succeeded + after.failed - before.succeeded - before.failed;
      say(
        `executed   ${ended} ended, ${after.failed - before.failed} failed; ${(endedMeanwhile / seconds).toFixed(0)} a second during the load; ${left} open at its end, ${workOffText(workedOff, left)}`,
      );
      say(`           accepted → ended: p50 ${ms(after.p50)}, p99 ${ms(after.p99)}`);
      say(
        `metered    ${after.entries - before.entries} entries, ${after.used - before.used} credits used for ${after.succeeded - before.succeeded} successes`,
      );
      say(`shown      ${after.shown - before.shown} runs in the figures of today`);
      say(`cpu        ${costText(costsSince(costs, readCosts(parts), ended))}`);
      say(`machine    load average ${machine?.toFixed(1)} before, ${loadavg()[0]?.toFixed(1)} after`);
    } finally {
      await load.stop();
    }
  } finally {
    await system.stop();
  }
}

const ms = (value: number | null): string => (value === null ? 'none' : `${Math.round(value)} ms`);

function workOffText({ seconds, open }: WorkedOff, left: number): string {
  if (left === 0) return 'none to work off';
  const how = `in ${seconds.toFixed(1)} s (${((left - open) / seconds).toFixed(0)} a second)`;
  return open === 0 ? `worked off ${how}` : `${left - open} of them worked off ${how}`;
}

async function startCalls(system: System, agents: readonly string[]) {
  const secret = system.settings()['AUTOMATION_CALLBACK_SECRET'] ?? '';
  return startLoad({
    origin: system.baseUrl,
    paths: agents.map((id) => `/webhooks/agents/${id}?token=${ingestToken(secret, id)}`),
    bodies: Array.from({ length: CALLERS }, (_, n) =>
      JSON.stringify({ callerNumber: `+1312${5_000_000 + n}`, businessNumber: DEMO.businessNumber }),
    ),
  });
}

async function countOpen(system: System): Promise<number> {
  const [row] = await system.query<{ open: number }>(`select count(*)::int as open from execution where status = 'RUNNING'`);
  return row?.open ?? 0;
}

type WorkedOff = { seconds: number; open: number };

/** Waits until no run is open, for `most` seconds. Returns the seconds that passed and how many are open still. */
async function workOff(system: System, most: number): Promise<WorkedOff> {
  const beganAt = performance.now();
  for (;;) {
    const open = await countOpen(system);
    const seconds = (performance.now() - beganAt) / 1_000;
    if (open === 0 || seconds > most) return { seconds, open };
    await delay(LOOK_MS);
  }
}

type Sums = { succeeded: number; failed: number; p50: number | null; p99: number | null; entries: number; used: number };

/** What runs, the ledger and the quota hold, how long (ms) runs since `since` took from their acceptance to their end, and what the overview of their agency shows. */
async function readSums(system: System, since: Date): Promise<Sums & { shown: number }> {
  const [sums] = await system.query<Sums>(
    `select count(*) filter (where status = 'SUCCEEDED')::int as succeeded, count(*) filter (where status = 'FAILED')::int as failed,
       (extract(epoch from percentile_cont(0.5) within group (order by finished_at - started_at) filter (where started_at >= $1)) * 1000)::float8 as p50,
       (extract(epoch from percentile_cont(0.99) within group (order by finished_at - started_at) filter (where started_at >= $1)) * 1000)::float8 as p99,
       (select count(*) from usage_entry where kind = 'run')::int as entries, (select sum(used) from partner_quota)::int as used
     from execution`,
    [since],
  );
  const owner = system.client(await system.login(DEMO.owner.email, DEMO_PASSWORD));
  const { today } = await owner.getMySummary({ query: {} });
  if (!sums) throw new Error('There are no sums.');
  return { ...sums, shown: today.runs };
}
