import assert from 'node:assert/strict';
import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, describe, it, mock } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { type Next, readStream, type StreamEnd } from './read-stream.ts';

const TIMES = { timeoutMs: 30_000, stallMs: 10_000 };
const KIB = 1024;
setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void; // of the engine, by the flag above

beforeEach(() => mock.timers.enable({ apis: ['setTimeout'] }));
afterEach(() => mock.timers.reset());

function open(onChunk: ((chunk: Buffer) => Next) | null = () => 'more') {
  const stream = new PassThrough();
  let end: StreamEnd | undefined;
  const ended = readStream(stream, TIMES, onChunk).then((how) => (end = how));
  const send = async (bytes: number): Promise<void> => {
    stream.write(Buffer.alloc(bytes));
    await turn();
  };
  const wait = async (ms: number): Promise<void> => {
    mock.timers.tick(ms);
    await turn();
  };
  return { stream, send, wait, ended, end: () => end };
}

describe('a stream', () => {
  it('is read for as long as a kilobyte of it arrives in ten seconds', async () => {
    const { stream, send, wait, ended, end } = open();
    for (let round = 0; round < 3; round += 1) {
      await wait(9_000);
      await send(KIB);
    }
    await wait(2_000);
    assert.equal(end(), undefined);
    stream.end();
    assert.equal(await ended, 'whole');
  });

  it('is late after ten seconds in which less arrives, and after thirty in any case', async () => {
    const silent = open();
    await silent.wait(9_999);
    assert.equal(silent.end(), undefined);
    await silent.wait(1);
    assert.equal(await silent.ended, 'late');
    const dripping = open();
    for (let second = 0; second < 10; second += 1) {
      await dripping.send(102);
      await dripping.wait(1_000);
    }
    assert.equal(await dripping.ended, 'late');
    const slow = open();
    for (let second = 0; second < 30; second += 1) {
      await slow.send(2 * KIB);
      await slow.wait(1_000);
    }
    assert.equal(await slow.ended, 'late');
  });

  it('that is no longer wanted loses its connection when it goes on for too long, too slowly or with too much', async () => {
    const late = open(null);
    assert.equal(await late.ended, 'enough');
    await late.wait(10_000);
    assert.ok(late.stream.destroyed);
    const much = open(() => 'discard');
    for (let sent = 0; sent <= 9 && !much.stream.destroyed; sent += 1) await much.send(KIB * KIB);
    assert.equal(await much.ended, 'enough');
    assert.ok(much.stream.destroyed);
    const some = open(() => 'discard');
    for (let sent = 0; sent < 5; sent += 1) await some.send(KIB * KIB);
    some.stream.end();
    await once(some.stream, 'end');
    assert.equal(some.stream.errored, null, 'the response reaches a sender that first writes everything');
  });

  it('is read no further once it is left', async () => {
    let chunks = 0;
    const { stream, send, ended } = open(() => ((chunks += 1), 'leave'));
    await send(KIB);
    assert.equal(await ended, 'enough');
    await send(KIB);
    assert.deepEqual([chunks, stream.readableLength], [1, KIB]);
  });

  const refusal = new Error('refused');
  for (const { how, next, waitMs = 0 } of [
    { how: 'discarded', next: (): Next => 'discard' },
    { how: 'left', next: (): Next => 'leave' },
    { how: 'late', next: (): Next => 'more', waitMs: 10_000 },
    {
      how: 'refused',
      next: (): Next => {
        throw refusal;
      },
    },
  ])
    it(`that is ${how} holds nothing of what was read, though its sender stays`, async () => {
      const received: WeakRef<Buffer>[] = [];
      const openReader = () => {
        const chunks: Buffer[] = [];
        return open((chunk) => {
          chunks.push(chunk);
          received.push(new WeakRef(chunk));
          return next();
        });
      };
      const { stream, send, wait, ended } = openReader();
      const settled = ended.catch(() => undefined);
      await send(KIB);
      await wait(waitMs);
      await settled;
      await turn();
      collectGarbage();
      assert.deepEqual([received.length, stream.destroyed], [1, false]);
      assert.ok(received[0]?.deref() === undefined);
    });

  it('whose sender goes away, or whose reader throws, says so', async () => {
    const gone = open();
    gone.stream.destroy();
    assert.equal(await gone.ended, 'gone');
    const broken = open();
    broken.stream.destroy(new Error('reset'));
    assert.equal(await broken.ended, 'gone');
    const refusing = open(() => {
      throw new Error('refused');
    });
    const refused = assert.rejects(refusing.ended, /refused/);
    await refusing.send(KIB);
    await refused;
  });
});
