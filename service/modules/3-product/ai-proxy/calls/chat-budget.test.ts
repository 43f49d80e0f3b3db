import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type ChatFacts, reachedBudget } from '@partner-portal/core/quota/chat-budget.ts';
import { type ChatService, startChatService } from '@partner-portal/tests/harness/chat.ts';
import { newId } from '#platform/ids.ts';
import { adHoc } from '@partner-portal/tests/harness/ad-hoc.ts';
import { runStatement } from '#platform/db/statements.ts';

/** The SQL functions `reserve_ai_call` and `hold_chat_budgets` and core/quota/chat-budget.ts must make the same decision. */

let chat: ChatService;
before(async () => {
  chat = await startChatService();
});
after(() => chat.close());

const DAY_LIMIT = 60;
const LIMIT = 1_000;
const SHARE_PERCENT = 40;
const [SHARE, CEILING] = [400, 900];
const [FITS, FULL] = [56, 57];
const WANTED = 4;
/** Credits that the agency has taken: with room, up to and beyond the reserve, and beyond the period. */
const TAKEN = [50, 896, 897, 997];
const CHAT_TAKEN = [396, 397];

type Case = { facts: ChatFacts; credits: number };

function allCases(): Case[] {
  const days = [FITS, FULL].map((taken) => ({ taken, limit: DAY_LIMIT }));
  return days.flatMap((conversation) =>
    [...days, null].flatMap((visitor) =>
      days.flatMap((chatbot) =>
        TAKEN.flatMap((taken) =>
          CHAT_TAKEN.flatMap((chatTaken) =>
            [0, WANTED].map((credits) => ({
              facts: { conversation, visitor, chatbot, agency: { taken, limit: LIMIT, chatTaken, share: SHARE, ceiling: CEILING } },
              credits,
            })),
          ),
        ),
      ),
    ),
  );
}

class Undone extends Error {}

/** Reserves a call of a visitor's turn in an agency that stands as the facts say, and undoes all of it. */
async function outcomeOf({ facts, credits }: Case): Promise<string> {
  const { partnerId, clientId } = chat.world;
  const ids = { conversation: newId(), visitor: newId(), chatbot: chat.chatbotId };
  let outcome = '';
  const work = chat.db.asSystem('seed', async (tx) => {
    const run = <R extends object>(text: string, values: unknown[]): Promise<R[]> =>
      runStatement(tx, adHoc({ text, values })) as unknown as Promise<R[]>; // typed by the test
    await run(
      `update partner_quota set monthly_credits = $2, purchased_credits = 0, used = $3 - 3, in_flight = 3, chat_used = $4 - 2, chat_in_flight = 2, chat_share_percent = $5,
        chat_conversation_credits = $6, chat_visitor_credits = $6, chatbot_credits = $6 where partner_id = $1`,
      [partnerId, LIMIT, facts.agency.taken, facts.agency.chatTaken, SHARE_PERCENT, DAY_LIMIT],
    );
    for (const scope of ['conversation', 'visitor', 'chatbot'] as const)
      await run(
        `insert into chat_spending (partner_id, scope, subject, day, used, held) values ($1, $2, $3, (now() at time zone 'UTC')::date, $4 - 5, 5)`,
        [partnerId, scope, ids[scope], facts[scope]?.taken ?? 5],
      );
    const [row] = await run<{ outcome: string }>(
      `select outcome from reserve_ai_call($1::uuid, $2::uuid, $3::uuid, null, $4::uuid, $5::uuid, 'chatbot', 'openai', 'gpt-5', 'platform', null, $6, 10, null, null, 60, 16, $7::uuid, $8::uuid, ${WANTED})`,
      [newId(), partnerId, clientId, ids.conversation, newId(), credits, ids.chatbot, facts.visitor === null ? null : ids.visitor],
    );
    outcome = row?.outcome ?? '';
    throw new Undone();
  });
  await assert.rejects(work, Undone);
  return outcome;
}

describe('reserve_ai_call decides about the budgets of chatbots as core does', () => {
  it('in every combination of room and none', async () => {
    const cases = allCases();
    const seen = new Set<string>();
    for (const one of cases) {
      const expected = reachedBudget(one.facts, WANTED, one.credits);
      const outcome = await outcomeOf(one);
      assert.equal(outcome, expected === null ? 'reserved' : expected === 'quota' ? 'quota_exceeded' : expected, JSON.stringify(one));
      seen.add(outcome);
    }
    assert.deepEqual([...seen].toSorted(), ['chatbot', 'conversation', 'quota_exceeded', 'reserve', 'reserved', 'share', 'visitor']);
  });
});

it('share and reserve are whole credits, in favour of events', async () => {
  const [row] = await chat.rows(
    `select array[chat_share(2000, 40), chat_share(7, 40), chat_share(7, 100), chat_share(0, 40)] as shares,
      array[chat_ceiling(2000), chat_ceiling(7), chat_ceiling(0)] as ceilings`,
  );
  assert.deepEqual(row, { shares: [800, 2, 7, 0], ceilings: [1_800, 6, 0] });
});
