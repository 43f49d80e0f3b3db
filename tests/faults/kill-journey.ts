import { setTimeout as delay } from 'node:timers/promises';
import { ingestToken } from '@partner-portal/core/execution/token.ts';
import { DEMO } from '@partner-portal/service/quick-start/seed-workspace.ts';
import { postmasterPid, readProc, type System, until } from '../harness/system.ts';

/** What one journey does: events at a rate while processes are killed. */
export type Journey = { seed: number; perSecond: number; kills: number };

export type Toll = {
  /** Executions that were answered 202. */
  accepted: Set<string>;
  /** How many posts got each status; `refused`: no process listened or the connection broke. */
  answers: Map<string, number>;
  /** Kills in order, as `engine +1.2 s`. */
  killed: string[];
  /** Per process: the longest time (ms) in which no event was accepted after it was killed. */
  longestGapMs: Record<Victim, number>;
  /** Each start of the service: the seconds until it was complete, or the last line of one that ended before. */
  starts: string[];
  /** When the last process was back (performance.now). */
  backAt: number;
};

/** Which process was killed last, and when an event was accepted last. */
type Last = { victim: Victim | undefined; acceptedAt: number };
type Victim = 'service' | 'engine' | 'postgres';
const VICTIMS: readonly Victim[] = ['service', 'engine', 'postgres'];
const GAP_MS_MIN = 300;
const GAP_MS_MAX = 4_500;
const OPEN_MAX = 600;

/** A small generator of random numbers (mulberry32), so that a seed repeats a journey's choices. */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/**
 * Posts events to all agents in turn and kills a process at random moments, also while it or another is starting. The service is started again
 * as a process manager would; engine and Postgres are the service's own. Resolves once everything is up and the load has ended.
 */
export async function killJourney(system: System, agents: readonly string[], journey: Journey): Promise<Toll> {
  const toll: Toll = {
    accepted: new Set(),
    answers: new Map(),
    killed: [],
    longestGapMs: { service: 0, engine: 0, postgres: 0 },
    starts: [],
    backAt: 0,
  };
  const random = seeded(journey.seed);
  const stop = new AbortController();
  const keeping = keepRunning(system, toll.starts, stop.signal);
  const last: Last = { victim: undefined, acceptedAt: performance.now() };
  const posting = postEvents(system, agents, journey.perSecond, { toll, last }, stop.signal);
  const killedPids: Partial<Record<Victim, number>> = {};
  for (let n = 0; n < journey.kills; n += 1) {
    const waitMs = GAP_MS_MIN + random() * (GAP_MS_MAX - GAP_MS_MIN);
    await delay(waitMs);
    const victim = VICTIMS[Math.floor(random() * VICTIMS.length)] ?? 'service';
    // A process may end by itself between the look and the kill: then its successor is killed.
    killedPids[victim] = await until(`there is a process to kill: ${victim}`, () => {
      const pid = pidOf(system, victim);
      return pid !== undefined && process.kill(pid, 'SIGKILL') && pid;
    });
    toll.killed.push(`${victim} +${(waitMs / 1000).toFixed(1)} s`);
    last.victim = victim;
  }
  await until('everything is up', async () => {
    // Sessions outlive a killed Postgres by some milliseconds, in which the readiness still finds it.
    if (VICTIMS.some((victim) => [undefined, killedPids[victim]].includes(pidOf(system, victim)))) return false;
    const answer = await fetch(`${system.baseUrl}/health/ready`);
    const { checks } = (await answer.json()) as { checks: Record<string, string> }; // the contract's readiness
    return answer.ok && checks['engine'] === 'ok';
  });
  toll.backAt = performance.now();
  stop.abort();
  await Promise.all([keeping, posting]);
  return toll;
}

function pidOf(system: System, victim: Victim): number | undefined {
  if (victim === 'service') return readProc(`${system.pid()}/cmdline`) === '' ? undefined : system.pid();
  return victim === 'engine' ? system.enginePid() : postmasterPid(system.dataDir);
}

/** The process manager: starts the service whenever it has ended, also when its start was killed. */
async function keepRunning(system: System, starts: string[], signal: AbortSignal): Promise<void> {
  const aborted = new Promise((resolve) => signal.addEventListener('abort', resolve));
  while (!signal.aborted) {
    await Promise.race([system.ended(), aborted]);
    if (signal.aborted) return;
    const startedAt = performance.now();
    const ending = await system.restart().then(
      () => '',
      () => `, ended: ${system.output().trim().split('\n').at(-1) ?? ''}`,
    );
    starts.push(`${((performance.now() - startedAt) / 1000).toFixed(1)} s${ending}`);
  }
}

/** Posts at a fixed rate, whether or not earlier posts were answered; with too many open ones it waits. */
async function postEvents(
  system: System,
  agents: readonly string[],
  perSecond: number,
  { toll, last }: { toll: Toll; last: Last },
  signal: AbortSignal,
): Promise<void> {
  const secret = system.settings()['AUTOMATION_CALLBACK_SECRET'] ?? '';
  const urls = agents.map((agent) => `${system.baseUrl}/webhooks/agents/${agent}?token=${ingestToken(secret, agent)}`);
  const open = new Set<Promise<void>>();
  const startedAt = performance.now();
  const post = async (n: number): Promise<void> => {
    const body = JSON.stringify({ callerNumber: `+1312${String(5_000_000 + n)}`, businessNumber: DEMO.businessNumber });
    const answer = await fetch(urls[n % urls.length] ?? '', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    }).catch(() => null);
    const status = answer === null ? 'refused' : String(answer.status);
    toll.answers.set(status, (toll.answers.get(status) ?? 0) + 1);
    const said = await answer?.text().catch(() => '');
    const id = status === '202' && said ? /"executionId":"([^"]+)"/.exec(said)?.[1] : undefined;
    if (id === undefined) return;
    toll.accepted.add(id);
    const now = performance.now();
    if (last.victim) toll.longestGapMs[last.victim] = Math.max(toll.longestGapMs[last.victim], now - last.acceptedAt);
    last.acceptedAt = now;
  };
  for (let n = 0; !signal.aborted;) {
    const due = Math.floor(((performance.now() - startedAt) / 1000) * perSecond);
    for (; n < due && open.size < OPEN_MAX; n += 1) {
      const posted: Promise<void> = post(n).finally(() => open.delete(posted));
      open.add(posted);
    }
    n = Math.max(n, due - perSecond);
    await delay(5);
  }
  await Promise.all(open);
}
