import { performance } from 'node:perf_hooks';
import type { Call, Caller } from './calls.ts';
import type { Work } from '@partner-portal/tests/harness/query-plans.ts';

export type Measured = { ms: number; status: number };
export type Walk = ReadonlyMap<Call, Measured>;

/** A call this slow is made once more, since the first may have read from disk; one that is slow again counts as it is. */
const SLOW_MS = 3_000;

export type Ask = (caller: Caller, path: string) => Promise<{ status: number; text: string }>;

/** Number of calls that exercises both plans of a statement: custom plans, and the generic plan that the server may choose after five calls. */
export const BOTH_PLANS = 8;

/**
 * Makes every call: once to warm up, then `times` times. Returns the shortest of each: others share the machine. With `BOTH_PLANS`, the slower of the
 * shortest early and the shortest late one.
 */
export async function walk(calls: readonly Call[], ask: Ask, times: number): Promise<Walk> {
  const measured = new Map<Call, Measured>();
  for (const call of calls) {
    const path = await pathOf(call, ask);
    let first = await timed(ask, call.caller, path);
    if (first.ms >= SLOW_MS) first = await timed(ask, call.caller, path);
    const more: Measured[] = [];
    while (first.ms < SLOW_MS && more.length < times) more.push(await timed(ask, call.caller, path));
    const shortest = (some: readonly Measured[]): number => Math.min(...some.map(({ ms }) => ms));
    const ms = more.length < BOTH_PLANS ? shortest([first, ...more]) : Math.max(shortest(more.slice(0, 3)), shortest(more.slice(-3)));
    measured.set(call, { status: first.status, ms });
  }
  return measured;
}

/** Makes every call once while the server writes its plans. */
export async function walkPlans(calls: readonly Call[], ask: Ask, log: { take(): Work; skip(): void }): Promise<ReadonlyMap<Call, Work>> {
  const works = new Map<Call, Work>();
  for (const call of calls) {
    const path = await pathOf(call, ask);
    log.skip();
    await ask(call.caller, path);
    works.set(call, log.take());
  }
  return works;
}

async function timed(ask: Ask, caller: Caller, path: string): Promise<Measured> {
  const beganAt = performance.now();
  const { status } = await ask(caller, path);
  return { ms: performance.now() - beganAt, status };
}

async function pathOf({ caller, path, hasCursor }: Call, ask: Ask): Promise<string> {
  if (!hasCursor) return path;
  const { text } = await ask(caller, path);
  const { nextCursor = null } = JSON.parse(text) as { nextCursor?: string | null }; // a page of the contract, or a problem
  return nextCursor === null ? path : `${path}&cursor=${encodeURIComponent(nextCursor)}`;
}
