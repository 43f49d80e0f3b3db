import assert from 'node:assert/strict';
import { it } from 'node:test';
import fc from 'fast-check';
import { phraseOf, resultsBy, resultsIn } from './results.ts';

it('results add up to the same number however they are grouped', () => {
  const rows = fc.array(fc.record({ helped: fc.nat(50), day: fc.nat(3), agent: fc.constantFrom('a', 'b', null) }));
  fc.assert(
    fc.property(rows, (counted) => {
      const sum = (counts: Map<unknown, number>): number => [...counts.values()].reduce((total, count) => total + count, 0);
      assert.equal(sum(resultsBy(counted, (row) => row.day)), resultsIn(counted));
      assert.equal(sum(resultsBy(counted, (row) => row.agent)), resultsIn(counted));
    }),
  );
  assert.deepEqual(
    [
      ...resultsBy(
        [
          { helped: 2, day: 'x' },
          { helped: 3, day: 'x' },
        ],
        (row) => row.day,
      ),
    ],
    [['x', 5]],
  );
});

it('a result is named with chats only where the template has such words and a chatbot can run the agent', () => {
  const phrase = { one: 'call', many: 'calls' };
  const withChats = { ...phrase, withChats: { one: 'call or chat', many: 'calls and chats' } };
  for (const [of, count, isRunByChats, words] of [
    [withChats, 1, false, 'call'],
    [withChats, 2, false, 'calls'],
    [withChats, 1, true, 'call or chat'],
    [withChats, 0, true, 'calls and chats'],
    [phrase, 2, true, 'calls'],
  ] as const)
    assert.equal(phraseOf(of, count, isRunByChats), words);
});
