import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';
import { setImmediate as settled } from 'node:timers/promises';
import { createFairTurns, type FairTurnsOptions, type TurnRequest } from './fair-turns.ts';

const HOUR_MS = 3_600_000;

const endings: (() => void)[] = [];
afterEach(async () => {
  // What still waits would keep the process alive for its hour.
  for (const end of endings.splice(0)) end();
  await settled();
});

/** Turns whose works run until each is ended; a work is named by its key and a number. */
function openTurns(options: Partial<FairTurnsOptions> & { slots: number }) {
  const turns = createFairTurns({ waitingMax: 1_000, waitMs: HOUR_MS, ...options });
  const begun: string[] = [];
  const refused: string[] = [];
  const ends = new Map<string, PromiseWithResolvers<void>>();
  const begin = async (name: string, request: Partial<TurnRequest> = {}): Promise<void> => {
    const end = Promise.withResolvers<void>();
    ends.set(name, end);
    endings.push(end.resolve);
    const note = (error: Error): void => void refused.push(`${name}: ${'reason' in error ? error.reason : error.message}`);
    await turns({ key: name.slice(0, 1), ...request }, () => (begun.push(name), end.promise)).catch(note);
  };
  const end = async (...names: string[]): Promise<void> => {
    for (const name of names) ends.get(name)?.resolve();
    await settled();
  };
  return { begun, refused, begin, end, fail: (name: string) => ends.get(name)?.reject(new Error('failed')) };
}
const names = (key: string, count: number): string[] => Array.from({ length: count }, (_, at) => `${key}${at + 1}`);

describe('slots', () => {
  it('are held by a key while it holds fewer than are free, so that the next key always finds one', async () => {
    const { begun, begin } = openTurns({ slots: 16 });
    for (const name of names('a', 30)) void begin(name);
    await settled();
    assert.deepEqual(begun, names('a', 8), 'alone: half');
    for (const name of names('b', 30)) void begin(name);
    await settled();
    assert.deepEqual(begun.slice(8), names('b', 4), 'half of what is left');
    for (const key of ['c', 'd', 'e']) void begin(`${key}1`);
    await settled();
    assert.deepEqual(begun.slice(12), ['c1', 'd1', 'e1'], 'none of the later ones waits for the first two');
  });

  it('are two at least for one to be left', async () => {
    const { begun, begin, end } = openTurns({ slots: 2 });
    for (const name of ['a1', 'a2', 'b1']) void begin(name);
    await settled();
    assert.deepEqual(begun, ['a1', 'b1']);
    await end('b1');
    assert.deepEqual(begun, ['a1', 'b1'], 'a2 would take the last one');
    await end('a1');
    assert.deepEqual(begun, ['a1', 'b1', 'a2']);
  });

  it('of one part of a key are limited, and its other parts go on', async () => {
    const { begun, begin, end } = openTurns({ slots: 16, perPart: 2 });
    for (const name of names('a', 4)) void begin(name, { part: 'slow' });
    void begin('a5', { part: 'fast' });
    void begin('b1', { part: 'slow' });
    await settled();
    assert.deepEqual(begun, ['a1', 'a2', 'a5', 'b1'], 'the same part of another key is another part');
    await end('a2');
    assert.deepEqual(begun.slice(4), ['a3']);
  });

  it('go to the keys that wait in turn, within a key in order', async () => {
    const { begun, begin, end } = openTurns({ slots: 1 });
    for (const name of ['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1']) void begin(name);
    await settled();
    for (let at = 0; at < 7; at += 1) await end(begun[at] ?? '');
    assert.deepEqual(begun, ['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4']);
  });

  it('are freed by work that fails', async () => {
    const { begun, refused, begin, fail } = openTurns({ slots: 1 });
    void begin('a1');
    void begin('b1');
    fail('a1');
    await settled();
    assert.deepEqual([begun, refused], [['a1', 'b1'], ['a1: failed']]);
  });
});

describe('what waits', () => {
  it('is bounded, and no key can fill the queue', async () => {
    const { begun, refused, begin, end } = openTurns({ slots: 1, waitingMax: 8 });
    for (const name of names('a', 7)) void begin(name);
    await settled();
    assert.deepEqual(refused, ['a6: full', 'a7: full'], 'one runs and four wait: half of the queue');
    for (const name of names('b', 3)) void begin(name);
    await settled();
    assert.deepEqual(refused.slice(2), ['b3: full']);
    void begin('c1');
    await end('a1');
    await end('a2');
    await end('b1');
    assert.deepEqual(begun, ['a1', 'a2', 'b1', 'c1']);
    void begin('a8');
    await settled();
    assert.equal(refused.length, 3, 'there is room again');
  });

  it('is bounded in bytes, together with what runs', async () => {
    const { begun, refused, begin, end } = openTurns({ slots: 1, bytesMax: 100 });
    void begin('a1', { bytes: 101 });
    void begin('a2', { bytes: 50 });
    void begin('a3', { bytes: 1 });
    void begin('b1', { bytes: 25 });
    await settled();
    assert.deepEqual([begun, refused], [['a2'], ['a1: full', 'a3: full']]);
    await end('a2');
    await end('b1');
    void begin('a4', { bytes: 100 });
    await settled();
    assert.deepEqual(begun, ['a2', 'b1', 'a4'], 'what has ended holds nothing');
  });

  it('is refused after its time, and leaves its place to others', async () => {
    const { begun, refused, begin, end } = openTurns({ slots: 1, waitingMax: 2, waitMs: 1 });
    void begin('a1');
    await begin('a2');
    await begin('b1');
    assert.deepEqual([begun, refused], [['a1'], ['a2: waited', 'b1: waited']]);
    await end('a1');
    assert.deepEqual(begun, ['a1'], 'what was refused is not run');
    void begin('a3');
    await settled();
    assert.deepEqual(begun, ['a1', 'a3']);
  });
});
