/**
 * How many runs may be under way in the engine at a time. Its queue is first in, first out over all agencies, so what waits in it delays everyone:
 * the engine is kept busy with as few runs as that takes, and the rest waits here, where it takes turns. How few is learned from how long runs take:
 * runs that begin to take clearly longer than they do when little else is under way wait in the engine.
 */

export type WindowLimits = { start: number; min: number; max: number };

/** Mean durations (ms) of one kind of run, the least of this and of the last period: what it takes when it does not wait. */
type Least = { current: number | null; previous: number | null };

/**
 * - `starting`: doubles until runs begin to wait, and then takes as many as hardly do.
 * - `halving`: halves for as long as runs get quicker by it, which shows what they take when they do not wait.
 * - `steady`: grows a little, or shrinks when runs wait.
 */
type Phase = 'starting' | 'halving' | 'steady';

export type RunWindow = {
  /** Runs that may be under way. */
  size: number;
  phase: Phase;
  /** The round before the last change to fewer runs. */
  before: { size: number; meanMs: number } | null;
  probedAt: number;
  least: ReadonlyMap<string, Least>;
  periodFrom: number;
  /** Mean duration of the last round. */
  meanMs: number;
  /** Runs that end before were handed over before the last change of the size, so they say nothing about this one. */
  countsFrom: number;
};

/** Runs of one kind that ended: how many, and how long they took together, from their hand-over to their report. */
export type Ended = { kind: string; runs: number; ms: number };

/** Few at the start, half of them for one agency: behind the first burst after a start others wait for these few, however slow the engine is. */
export const WINDOW_LIMITS: WindowLimits = { start: 8, min: 2, max: 2_048 };

/**
 * The embedded engine takes turns between agencies itself, and a run that waits for a slow provider costs it little: more of them from the start. Hundreds
 * that do not wait fill the processors that it shares with the acceptance of events.
 */
export const EMBEDDED_WINDOW_LIMITS: WindowLimits = { start: 64, min: 16, max: 2_048 };

/** Slack over the fastest observed duration before a run counts as queued: half of it, plus 250 ms for quick runs. */
const LONGER = 1.5;
const LONGER_MS = 250;
const ROUND_RUNS_MIN = 8;
const FIRST_ROUND_RUNS_MIN = 4;
/** Minimum sample size of a kind of run. */
const KIND_RUNS_MIN = 4;
/** The least durations are looked for again once a minute, and less often for long runs, whose rounds take long. */
const PROBE_EVERY_MS = 60_000;
const PROBE_TIMES_MEAN = 20;
const PROBES_OF_PERIOD = 5;
const GROWTH = 1 / 8;
const SHRINK_MIN = 0.7;
/** With half as many runs under way, runs that waited take clearly less than this share of the time. */
const QUICKER = 0.75;
/** With fewer runs under way and no quicker than this share, they may have become slower by themselves, which halving shows. */
const NOT_QUICKER = 0.9;

/** A run that is under way for longer no longer holds a place: its report is lost, or the engine lost it. */
const PLACE_SECONDS_MIN = 60;
const PLACE_SECONDS_MAX = 600;
const PLACE_TIMES_MEAN = 8;

export function openWindow(now: number, limits: WindowLimits = WINDOW_LIMITS): RunWindow {
  return {
    size: limits.start,
    phase: 'starting',
    before: null,
    probedAt: now,
    least: new Map(),
    periodFrom: now,
    meanMs: 0,
    countsFrom: now,
  };
}

/** How many ended runs make a round: those that were under way together; half of them at the start, when the size is not known yet. */
export function roundOf({ size, phase }: RunWindow): number {
  return phase === 'starting' ? Math.max(FIRST_ROUND_RUNS_MIN, Math.ceil(size / 2)) : Math.max(ROUND_RUNS_MIN, size);
}

/** Seconds after which a run that has not ended holds no place. */
export function placeSeconds({ meanMs }: RunWindow): number {
  return Math.min(PLACE_SECONDS_MAX, Math.max(PLACE_SECONDS_MIN, Math.ceil((PLACE_TIMES_MEAN * meanMs) / 1_000)));
}

/**
 * Returns the window after a round of ended runs. `isHeld`: runs waited for a place meanwhile; without any the window says nothing about the engine,
 * and stays.
 */
export function afterRound(
  window: RunWindow,
  round: readonly Ended[],
  when: { isHeld: boolean; now: number; limits?: WindowLimits },
): RunWindow {
  const next = learnRound(window, round, when);
  return next.size === window.size ? next : { ...next, countsFrom: when.now + next.meanMs };
}

function learnRound(
  window: RunWindow,
  round: readonly Ended[],
  { isHeld, now, limits = WINDOW_LIMITS }: { isHeld: boolean; now: number; limits?: WindowLimits },
): RunWindow {
  const runs = sum(round.map((one) => one.runs));
  if (runs === 0) return window;
  const isNewPeriod = now - window.periodFrom >= PROBES_OF_PERIOD * probeEveryMs(window);
  const least = learn(window.least, round, isNewPeriod);
  const meanMs = sum(round.map((one) => one.ms)) / runs;
  const learned = { ...window, least, meanMs, periodFrom: isNewPeriod ? now : window.periodFrom };
  if (!isHeld) return { ...learned, ...asBefore(window), probedAt: now };
  if (window.phase === 'halving') return halved(learned, round, now, limits);
  const bestMs = sum(round.map((one) => one.runs * (leastOf(least, one.kind) ?? one.ms / one.runs))) / runs;
  const allowedMs = Math.max(bestMs * LONGER, bestMs + LONGER_MS);
  if (meanMs <= allowedMs) return grown(learned, now, limits);
  const isNotQuicker = window.before !== null && meanMs > NOT_QUICKER * window.before.meanMs;
  // The durations of few runs under way show how many fill the engine.
  if (window.phase === 'starting')
    return { ...learned, phase: 'steady', size: Math.max(limits.min, Math.floor((window.size * allowedMs) / meanMs)) };
  if (isNotQuicker) return halve(learned, limits);
  const size = Math.max(limits.min, Math.floor(window.size * Math.max(SHRINK_MIN, allowedMs / meanMs)));
  return { ...learned, size, before: size < window.size ? { size: window.size, meanMs } : null };
}

function asBefore({ phase, size, before }: RunWindow): Pick<RunWindow, 'phase' | 'size' | 'before'> {
  if (phase === 'starting') return { phase, size, before };
  return { phase: 'steady', size: before?.size ?? size, before: null };
}

function halve(window: RunWindow, limits: WindowLimits): RunWindow {
  const { size, meanMs } = window;
  return { ...window, phase: 'halving', before: { size, meanMs }, size: half(size, limits) };
}

function halved(window: RunWindow, round: readonly Ended[], now: number, limits: WindowLimits): RunWindow {
  const { size, meanMs, before } = window;
  if (before && meanMs >= QUICKER * before.meanMs)
    return { ...window, phase: 'steady', size: before.size, before: null, probedAt: now, least: relearn(window.least, round) };
  if (size <= limits.min) return { ...window, phase: 'steady', before: null, probedAt: now };
  return halve(window, limits);
}

function grown(window: RunWindow, now: number, limits: WindowLimits): RunWindow {
  const { size, phase } = window;
  if (phase === 'starting') return { ...window, size: Math.min(limits.max, size * 2) };
  // The engine is always busy: measures again how long runs take without waiting.
  if (now - window.probedAt >= probeEveryMs(window)) return halve(window, limits);
  return { ...window, before: null, size: Math.min(limits.max, size + Math.max(1, Math.floor(size * GROWTH))) };
}

function probeEveryMs({ meanMs }: RunWindow): number {
  return Math.max(PROBE_EVERY_MS, PROBE_TIMES_MEAN * meanMs);
}

function half(size: number, limits: WindowLimits): number {
  return Math.max(limits.min, Math.ceil(size / 2));
}

/** Runs of these kinds take as long as they did in this round when they do not wait. */
function relearn(least: ReadonlyMap<string, Least>, round: readonly Ended[]): Map<string, Least> {
  return new Map([...least, ...round.map(({ kind, runs, ms }) => [kind, { current: ms / runs, previous: null }] as const)]);
}

function learn(before: ReadonlyMap<string, Least>, round: readonly Ended[], isNewPeriod: boolean): Map<string, Least> {
  const after = new Map(
    [...before].map(([kind, { current, previous }]) => [kind, isNewPeriod ? { current: null, previous: current } : { current, previous }]),
  );
  for (const { kind, runs, ms } of round) {
    if (runs < KIND_RUNS_MIN) continue;
    const { current, previous } = after.get(kind) ?? { current: null, previous: null };
    after.set(kind, { current: Math.min(current ?? Number.POSITIVE_INFINITY, ms / runs), previous });
  }
  return after;
}

function leastOf(least: ReadonlyMap<string, Least>, kind: string): number | null {
  const { current, previous } = least.get(kind) ?? { current: null, previous: null };
  if (current === null || previous === null) return current ?? previous;
  return Math.min(current, previous);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}
