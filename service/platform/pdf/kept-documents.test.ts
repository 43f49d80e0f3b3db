import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createKeptDocuments } from './kept-documents.ts';

const HOUR_MS = 3_600_000;
const bytes = (length: number): Uint8Array => new Uint8Array(length);

describe('documents', () => {
  it('of one state are made once, also for those who ask meanwhile; another state has its own', async () => {
    const keep = createKeptDocuments({ bytesMax: 1_000, keptMs: HOUR_MS });
    const made: string[] = [];
    const end = Promise.withResolvers<void>();
    const ask = (...state: string[]): Promise<Uint8Array> =>
      keep(state, async () => {
        made.push(state.join('+'));
        await end.promise;
        return bytes(10);
      });
    const asked = [ask('a', 'b'), ask('a', 'b'), ask('ab', ''), ask('a', 'b', '')];
    end.resolve();
    const [first, second, ...others] = await Promise.all(asked);
    assert.equal(first, second);
    assert.ok(others.every((one) => one !== first));
    assert.equal(await ask('a', 'b'), first);
    assert.deepEqual(made, ['a+b', 'ab+', 'a+b+']);
  });

  it('are bounded in bytes, and what was asked for longest ago goes first; one too large is not kept', async () => {
    const keep = createKeptDocuments({ bytesMax: 100, keptMs: HOUR_MS });
    const made: string[] = [];
    const ask = (state: string, length: number): Promise<Uint8Array> => keep([state], async () => (made.push(state), bytes(length)));
    for (const state of ['a', 'b', 'c', 'd', 'a', 'e']) await ask(state, 24);
    assert.deepEqual(made, ['a', 'b', 'c', 'd', 'e']);
    await ask('a', 24);
    await ask('b', 24);
    assert.deepEqual(made.slice(5), ['b'], 'a was asked for later than b');
    for (const _time of [1, 2]) await ask('large', 60);
    assert.deepEqual(made.slice(6), ['large', 'large']);
  });

  it('that could not be made are made again by the next one', async () => {
    const keep = createKeptDocuments({ bytesMax: 100, keptMs: HOUR_MS });
    const fail = async (): Promise<Uint8Array> => {
      throw new Error('no thread');
    };
    await Promise.all([1, 2].map(() => assert.rejects(keep(['a'], fail), /no thread/)));
    assert.equal((await keep(['a'], async () => bytes(3))).byteLength, 3);
  });
});
