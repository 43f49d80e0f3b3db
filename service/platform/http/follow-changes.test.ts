import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as settled } from 'node:timers/promises';
import { createLog } from '../log.ts';
import { OVERLAP_MS, streamRows } from './follow-changes.ts';
import type { ServerEvent } from './sse.ts';

const log = createLog('silent');

/** A stream of rows whose reads end as the test says. */
async function open(
  read: (ids: string[]) => Promise<ServerEvent[]>,
  missed: (since: Date) => Promise<ServerEvent[]> = async () => [],
  retryMs?: number,
) {
  const told = Promise.withResolvers<void>();
  const sent: string[] = [];
  const ids: string[] = [];
  const listeners = new Set<(ids: readonly string[]) => void>();
  const gaps = new Set<() => void>();
  const source = streamRows({
    log,
    what: 'things',
    subscribe: (changed, missed) => {
      listeners.add(changed);
      gaps.add(missed);
      return () => listeners.delete(changed);
    },
    read,
    readAfter: async ({ time }) => ({ events: await missed(time), next: null }),
    retryMs,
  });
  const opening = source.open(({ id, data }) => {
    sent.push(String(data));
    ids.push(id);
    told.resolve();
  }, '1700000000000');
  const change = async (...ids: string[]): Promise<void> => {
    for (const listener of listeners) listener(ids);
    await settled();
  };
  const gap = async (): Promise<void> => {
    for (const listener of gaps) listener();
    await settled();
  };
  return { sent, ids, change, gap, opening, told: told.promise };
}

const eventsOf = (ids: string[], id = '1800000000000'): ServerEvent[] => ids.map((data) => ({ id, event: 'thing', data }));

describe('a stream of rows', () => {
  it('tells with the next change what it could not read', async () => {
    let isAway = true;
    const { sent, change } = await open(async (ids) => (isAway ? Promise.reject(new Error('The database is away.')) : eventsOf(ids)));
    await change('one', 'two');
    assert.deepEqual(sent, []);
    isAway = false;
    await change('three');
    assert.deepEqual(new Set(sent), new Set(['one', 'two', 'three']));
  });

  it('tells by itself what it could not read when nothing else changes', async () => {
    let isAway = true;
    const { sent, change, opening, told } = await open(
      async (ids) => (isAway ? Promise.reject(new Error('The database is away.')) : eventsOf(ids)),
      undefined,
      1,
    );
    await change('the last');
    assert.deepEqual(sent, []);
    isAway = false;
    await told;
    assert.deepEqual(sent, ['the last']);
    (await opening)();
  });

  it('reads what changed since it was complete when some changes may not have been told, and until that is read', async () => {
    const asked: Date[] = [];
    let isAway = false;
    const { sent, ids, change, gap, opening } = await open(
      async (changed) => eventsOf(changed),
      async (since) => {
        asked.push(since);
        if (isAway) throw new Error('The database is away.');
        return asked.length === 1 ? [] : eventsOf(['unsent'], '1900000000000');
      },
    );
    await opening;
    await change('one');
    isAway = true;
    await gap();
    assert.deepEqual(sent, ['one']);
    isAway = false;
    await change('two');
    assert.deepEqual(
      [sent, ids],
      [
        ['one', 'unsent', 'two'],
        ['1800000000000', '1900000000000', '1800000000000'],
      ],
    );
    assert.deepEqual(
      asked.map((since) => since.getTime()),
      [1_700_000_000_000 - OVERLAP_MS, 1_800_000_000_000 - OVERLAP_MS, 1_800_000_000_000 - OVERLAP_MS],
    );
  });

  it('that breaks off amid what it had to tell is taken up where it was complete', async () => {
    const look = Promise.withResolvers<ServerEvent[]>();
    const { sent, ids, change, opening } = await open(
      async (changed) => eventsOf(changed, '1900000000000'),
      () => look.promise,
    );
    await change('live');
    look.resolve(eventsOf(['missed', 'missed too']));
    await opening;
    await change('one', 'two');
    assert.deepEqual(
      sent.map((what, n) => [what, ids[n]]),
      [
        ['live', '1700000000000'],
        ['missed', '1700000000000'],
        ['missed too', '1800000000000'],
        ['one', '1800000000000'],
        ['two', '1900000000000'],
      ],
    );
  });

  it('that missed more than one connection sends ends after it, and is resumed from there', async () => {
    const CHANGES = 25_000;
    const began = 1_700_000_000_000;
    const source = streamRows({
      log,
      what: 'things',
      subscribe: () => () => undefined,
      read: async () => [],
      // One change a minute.
      readAfter: async ({ time }, max) => {
        const first = Math.max(0, Math.floor((time.getTime() - began) / 60_000) + 1);
        const places = Array.from({ length: Math.min(max, CHANGES - first) }, (_, n) => first + n);
        const last = places.at(-1) ?? 0;
        return {
          events: eventsOf(places.map(String)),
          next: places.length < max ? null : { time: new Date(began + last * 60_000), id: '01' },
        };
      },
    });
    const seen = new Set<string>();
    let last = String(began);
    const sizes: number[] = [];
    for (let hasEnded = true; hasEnded;) {
      hasEnded = false;
      let size = 0;
      const stop = await source.open(
        ({ id, data }) => {
          size += 1;
          last = id;
          seen.add(String(data));
        },
        last,
        () => (hasEnded = true),
      );
      stop();
      sizes.push(size);
    }
    assert.equal(seen.size, CHANGES);
    assert.ok(sizes.length > 1 && Math.max(...sizes) <= 10_000, String(sizes));
  });
});
