import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type ChatBudget, type ChatFacts, chatWeight, nextDay, reachedBudget } from './chat-budget.ts';

const facts = (given: Partial<Omit<ChatFacts, 'agency'>> & { agency?: Partial<ChatFacts['agency']> } = {}): ChatFacts => ({
  conversation: null,
  visitor: null,
  chatbot: null,
  ...given,
  agency: { taken: 0, limit: 1_000, chatTaken: 0, share: 400, ceiling: 900, ...given.agency },
});
const full = { taken: 57, limit: 60 };

describe('an answer of a chatbot', () => {
  const cases: [name: string, facts: ChatFacts, wanted: number, expected: ChatBudget | null][] = [
    ['has room while no budget is used', facts({ conversation: { taken: 0, limit: 60 } }), 4, null],
    ['has room for exactly what is left', facts({ conversation: full, visitor: full, chatbot: full }), 3, null],
    ['ends at the budget of its conversation', facts({ conversation: full, visitor: full }), 4, 'conversation'],
    ['ends at the budget of its visitor', facts({ visitor: full, chatbot: full }), 4, 'visitor'],
    ['ends at the budget of its chatbot', facts({ chatbot: full, agency: { taken: 1_000 } }), 4, 'chatbot'],
    ['ends at the credits of the period', facts({ agency: { taken: 997, chatTaken: 500 } }), 4, 'quota'],
    ['ends at the share of all chatbots', facts({ agency: { taken: 950, chatTaken: 397 } }), 4, 'share'],
    ['has room for the last credits of the share', facts({ agency: { taken: 396, chatTaken: 396 } }), 4, null],
    ['ends at what is kept for events', facts({ agency: { taken: 897, chatTaken: 0 } }), 4, 'reserve'],
    ['has room up to what is kept for events', facts({ agency: { taken: 896, chatTaken: 0 } }), 4, null],
    ['is never given when chatbots have no share', facts({ agency: { share: 0 } }), 1, 'share'],
    ['leaves the reserve alone also when chatbots may use all', facts({ agency: { taken: 897, share: 1_000 } }), 4, 'reserve'],
  ];
  for (const [name, given, wanted, expected] of cases) it(name, () => assert.equal(reachedBudget(given, wanted, wanted), expected));

  it('with the agency’s own key counts for the budgets of the day alone', () => {
    assert.equal(reachedBudget(facts({ agency: { taken: 1_000, chatTaken: 400 } }), 4, 0), null);
    assert.equal(reachedBudget(facts({ chatbot: full }), 4, 0), 'chatbot');
  });

  it('weighs its credits, or with the agency’s key one for each started thousand tokens', () => {
    const tokens = { inputTokens: 1_900, outputTokens: 101 };
    assert.deepEqual([chatWeight(tokens, 9, false), chatWeight(tokens, 0, true)], [9, 3]);
    assert.equal(chatWeight({ inputTokens: 0, outputTokens: 0 }, 0, true), 0);
  });
});

it('the next day begins at midnight UTC, also at midnight itself', () => {
  for (const at of ['2026-11-28T00:00:00.000Z', '2026-11-28T23:59:59.999Z'])
    assert.equal(nextDay(new Date(at)).toISOString(), '2026-11-29T00:00:00.000Z');
});
