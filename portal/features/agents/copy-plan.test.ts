import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { callsOf, eachOf, pairCopies } from './copy-plan.ts';

const agent = (id: string, clientId: string | null, templateName: string) => ({ id, clientId, templateName });

describe('copies of several agents', () => {
  it('go to every chosen client but their own, and one of each template to a client', () => {
    const agents = [agent('a', 'oak', 'text-back'), agent('b', 'elm', 'text-back'), agent('c', null, 'reminder')];
    assert.deepEqual(pairCopies(agents, ['oak', 'elm', 'pine']), [
      { agentId: 'a', clientIds: ['elm', 'pine'] },
      { agentId: 'b', clientIds: ['oak'] },
      { agentId: 'c', clientIds: ['oak', 'elm', 'pine'] },
    ]);
  });

  it('are split into calls with a maximum number of clients, each with its own idempotency key', () => {
    const pairs = [
      { agentId: 'a', clientIds: ['1', '2', '3'] },
      { agentId: 'b', clientIds: [] },
      { agentId: 'c', clientIds: ['4'] },
    ];
    assert.deepEqual(callsOf(pairs, 2, 'k'), [
      { key: 'k/0', agentId: 'a', clientIds: ['1', '2'] },
      { key: 'k/1', agentId: 'a', clientIds: ['3'] },
      { key: 'k/2', agentId: 'c', clientIds: ['4'] },
    ]);
  });

  it('are sent some at a time, each once, and none after one that fails', async () => {
    let running = 0;
    let most = 0;
    const done: number[] = [];
    const work = async (item: number): Promise<void> => {
      most = Math.max(most, ++running);
      await new Promise(setImmediate);
      running -= 1;
      done.push(item);
      if (item === 9) throw new Error('refused');
    };
    await eachOf([1, 2, 3, 4, 5, 6, 7], 3, work);
    assert.equal(most, 3);
    assert.deepEqual(
      done.toSorted((a, b) => a - b),
      [1, 2, 3, 4, 5, 6, 7],
    );
    done.length = 0;
    await assert.rejects(eachOf([9, 1, 2], 1, work), /refused/);
    assert.deepEqual(done, [9]);
    await eachOf([], 3, work);
  });
});
