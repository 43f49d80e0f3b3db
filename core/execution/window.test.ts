import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { afterRound, type Ended, openWindow, placeSeconds, roundOf, type RunWindow } from './window.ts';

/** An engine with a fixed number of places and a first-in, first-out queue: runs of the window beyond its places wait. */
type Engine = { places: number; runMs: number };

function tookMs({ places, runMs }: Engine, underWay: number): number {
  return runMs * Math.max(1, underWay / places);
}

/** Rounds of an engine that always has more to do than places; returns the window and the time. */
function saturate(engine: Engine, rounds: number, from: { window: RunWindow; now: number } = { window: openWindow(0), now: 0 }) {
  let { window, now } = from;
  for (let n = 0; n < rounds; n += 1) {
    const runs = roundOf(window);
    const ms = tookMs(engine, window.size);
    now += (runs / window.size) * ms;
    window = afterRound(window, [{ kind: 'texts', runs, ms: runs * ms }], { isHeld: true, now });
  }
  return { window, now };
}

/**
 * A burst of one agency at a first-in, first-out engine, which has half of the window; 30 ms from an end to the next hand-over. `waits`: how many runs'
 * time a run of another agency would have waited for its start, at every moment of a hand-over.
 */
function playBurst({ places, runMs }: Engine, runs: number): { tookMs: number; waits: number[] } {
  const HAND_OVER_MS = 30;
  const TICK_MS = 5;
  let window = openWindow(0);
  let [waiting, now, ended, ms] = [runs, 0, 0, 0];
  let inEngine: { from: number; end: number }[] = [];
  const freeAt = Array.from({ length: places }, () => 0);
  const waits: number[] = [];
  for (; waiting > 0 || inEngine.length > 0; now += TICK_MS) {
    const over = inEngine.filter((run) => run.end <= now);
    inEngine = inEngine.filter((run) => run.end > now);
    if (now >= window.countsFrom) for (const run of over) [ended, ms] = [ended + 1, ms + now - run.from];
    if (ended >= roundOf(window)) {
      window = afterRound(window, [{ kind: 'texts', runs: ended, ms }], { isHeld: waiting > 0, now });
      [ended, ms] = [0, 0];
    }
    if (now % HAND_OVER_MS > 0) continue;
    for (; waiting > 0 && inEngine.length < Math.floor((window.size + 1) / 2); waiting -= 1) {
      const place = freeAt.indexOf(Math.min(...freeAt));
      const end = Math.max(now, freeAt[place] ?? 0) + runMs;
      freeAt[place] = end;
      inEngine.push({ from: now, end });
    }
    if (waiting > 0) waits.push(Math.max(0, Math.min(...freeAt) - now) / runMs);
  }
  return { tookMs: now, waits };
}

describe('the runs under way', () => {
  for (const [places, runMs] of [
    [2, 400],
    [5, 400],
    [5, 20_000],
    [40, 1_000],
    [64, 30],
  ] as const) {
    it(`fill an engine of ${places} places whose runs take ${runMs} ms, and hardly wait in it`, () => {
      // A run of an agency that has none under way is handed over at once: it waits only for what is in the engine.
      const engine = { places, runMs };
      let at = saturate(engine, 100);
      const from = at.now;
      let ended = 0;
      for (let n = 0; n < 200; n += 1) {
        ended += roundOf(at.window);
        const ms = tookMs(engine, at.window.size);
        assert.ok(ms <= Math.max(runMs * 2, runMs + 600), `${ms} ms with ${at.window.size} under way`);
        at = saturate(engine, 1, at);
      }
      const most = ((at.now - from) / runMs) * places;
      assert.ok(ended >= 0.85 * most, `${ended} of ${most} that the engine could have ended`);
    });
  }

  for (const [places, share] of [
    [2, 0.95],
    [4, 0.95],
    [10, 0.9],
  ] as const)
    it(`of one agency keep ${places} places busy, and a run of another hardly waits behind them, also in the first burst after a start`, () => {
      const burst = playBurst({ places, runMs: 480 }, 600);
      assert.ok((600 * 480) / places >= share * burst.tookMs, `${burst.tookMs} ms`);
      const waits = burst.waits.toSorted((a, b) => a - b);
      assert.ok((waits[waits.length >> 1] ?? 99) <= 1.5, `half of them wait for ${waits[waits.length >> 1]} runs or less`);
      assert.ok((waits.at(-1) ?? 99) <= 4, `none waits for more than four runs, not ${waits.at(-1)}`);
    });

  it('follow an engine that gets slower or faster', () => {
    const quick = saturate({ places: 40, runMs: 400 }, 60);
    const slow = saturate({ places: 4, runMs: 400 }, 60, quick);
    assert.ok(slow.window.size < 16, String(slow.window.size));
    const again = saturate({ places: 40, runMs: 400 }, 60, slow);
    assert.ok(again.window.size >= 32, String(again.window.size));
  });

  it('are not fewer because all runs have become slower, as they do when a provider is slow', () => {
    const usual = saturate({ places: 20, runMs: 400 }, 60);
    const slow = saturate({ places: 20, runMs: 2_000 }, 60, usual);
    assert.ok(slow.window.size >= 16, String(slow.window.size));
  });

  it('stay as many as they were while none waits for a place', () => {
    const window = openWindow(0);
    const quiet = afterRound(window, [{ kind: 'texts', runs: 8, ms: 8 * 400 }], { isHeld: false, now: 1_000 });
    assert.equal(quiet.size, window.size);
    assert.equal(afterRound(window, [], { isHeld: true, now: 0 }), window);
  });

  it('are not fewer because another kind of run takes longer', () => {
    const mix = (texts: number, models: number): Ended[] => [
      { kind: 'texts', runs: texts, ms: texts * 400 },
      { kind: 'models', runs: models, ms: models * 20_000 },
    ];
    let window = afterRound(openWindow(0), mix(12, 4), { isHeld: true, now: 1_000 });
    const { size } = window;
    for (let now = 2_000; now < 20_000; now += 1_000) window = afterRound(window, mix(1, 15), { isHeld: true, now });
    assert.ok(window.size > size);
  });

  it('are never fewer than two nor more than the most', () => {
    let { window } = saturate({ places: 1, runMs: 60_000 }, 100);
    assert.ok(window.size >= 2);
    ({ window } = saturate({ places: 1_000_000, runMs: 10 }, 100));
    assert.equal(window.size, 2_048);
  });

  it('hold their place for a minute at least, eight times as long as a run takes, and never for more than ten minutes', () => {
    const window = openWindow(0);
    assert.deepEqual(
      [0, 400, 20_000, 600_000].map((meanMs) => placeSeconds({ ...window, meanMs })),
      [60, 60, 160, 600],
    );
  });
});
