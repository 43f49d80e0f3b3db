import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { loadCatalog } from '@partner-portal/catalog/index.ts';
import { Temporal } from 'temporal-polyfill';
import { BUSINESSES, TROUBLED } from './businesses.ts';
import { makeConversations } from './make-conversations.ts';
import { hourOf, makeRuns, type Past, type PastAgent, type PastRun } from './make-runs.ts';

const END = new Date('2026-11-28T17:00:00.000Z');
const past: Past = { firstDay: Temporal.PlainDate.from('2026-11-28').subtract({ days: 89 }), days: 90, end: END };
const RATE = {
  inputCredits: 0.2,
  outputCredits: 0.8,
  inputCostMinor: 0.04,
  outputCostMinor: 0.16,
  id: 'rate',
  currency: 'USD',
  creditPriceMinor: 3,
};

const agents = BUSINESSES.flatMap((business) =>
  business.agents.map((plan): PastAgent => {
    const template = loadCatalog().find(({ name }) => name === plan.template);
    assert.ok(template);
    return { business, plan, template, workflowId: `${business.name} ${plan.template}`, clientId: business.name, flowTokenRate: RATE };
  }),
);
const runsOf = (agent: PastAgent): PastRun[] => makeRuns(agent, past, agent.business.name === TROUBLED);
const everyRun = agents.flatMap((agent) => runsOf(agent).map((run) => ({ agent, run })));
const local = (at: Date, zone: string) => Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(zone);

describe('the runs of the sample past', () => {
  it('are the same at any time of a day, and other ones on another day', () => {
    const again = agents.flatMap((agent) => runsOf(agent).map((run) => ({ agent, run })));
    assert.deepEqual(again, everyRun);
    const [agent] = agents;
    assert.ok(agent);
    const nextDay = makeRuns(agent, { ...past, firstDay: past.firstDay.add({ days: 1 }) }, false);
    assert.notDeepEqual(nextDay.slice(0, 5), runsOf(agent).slice(0, 5));
  });

  it('are of six clients of different sizes, on 90 days up to the end, none of them after it', () => {
    const sizes = BUSINESSES.map(({ name }) => everyRun.filter(({ agent }) => agent.business.name === name).length);
    assert.equal(sizes.length, 6);
    assert.equal(new Set(sizes).size, 6);
    assert.ok(Math.max(...sizes) > 10 * Math.min(...sizes), sizes.join(', '));
    assert.ok(everyRun.length > 3_000 && everyRun.length < 8_000, `${everyRun.length} runs`);
    for (const { run } of everyRun) {
      assert.ok(run.finishedAt < END && run.startedAt < run.finishedAt);
      assert.equal(hourOf(run.startedAt), hourOf(run.finishedAt));
      assert.ok(END.getTime() - run.startedAt.getTime() < 90 * 86_400_000, 'contents are kept for 90 days');
    }
  });

  it('come in the hours of each business and in its time zone, and fewer at the weekend', () => {
    for (const { agent, run } of everyRun) {
      const [from, to] = agent.business.hours;
      const { hour } = local(run.startedAt, agent.business.timezone);
      assert.ok(hour >= from && hour < to, `${agent.business.name} at ${hour}`);
    }
    const isWeekend = ({ agent, run }: (typeof everyRun)[number]): boolean => local(run.startedAt, agent.business.timezone).dayOfWeek > 5;
    const weekend = everyRun.filter(isWeekend).length / 2;
    assert.ok(weekend < (everyRun.length - weekend * 2) / 5 / 2, 'a day of the weekend has less than half of a weekday');
  });

  it('hold back no text to a number that had one, where the agent has no pause between them', () => {
    const counts = [true, undefined].map((isAtOnce) => {
      const runs = everyRun.filter(
        ({ agent: { plan } }) => plan.template === 'missed-call-text-back' && plan.textsAgainAtOnce === isAtOnce,
      );
      assert.ok(runs.length > 100);
      return runs.filter(({ run }) => JSON.stringify(run.output).includes('recently_contacted')).length;
    });
    assert.equal(counts[0], 0);
    assert.ok((counts[1] ?? 0) > 10);
  });

  it('have one streak of failures with one cause, which a rerun of each repairs', () => {
    const troubled = everyRun.filter(({ agent }) => agent.business.name === TROUBLED).map(({ run }) => run);
    const refused = troubled.filter(({ error }) => error?.code === 'twilio_sender_rejected');
    assert.ok(refused.length >= 3, `${refused.length} refused`);
    const reruns = troubled.filter(({ source }) => source === 'rerun');
    assert.deepEqual(reruns.map(({ rerunOf }) => rerunOf ?? '').toSorted(), refused.map(({ id }) => id).toSorted());
    assert.ok(reruns.every(({ status }) => status === 'SUCCEEDED'));
    assert.ok(everyRun.every(({ agent, run }) => run.source !== 'rerun' || agent.business.name === TROUBLED));
    assert.ok(
      troubled.slice(-3).every(({ status }) => status === 'SUCCEEDED'),
      'no agent is failing at the end',
    );
  });

  it('say what came of them as real runs do, in every tone', () => {
    assert.deepEqual(new Set(everyRun.map(({ run }) => run.tone)), new Set(['good', 'neutral', 'attention', null]));
    for (const { run } of everyRun) {
      assert.equal(run.tone === null, run.status === 'FAILED');
      assert.doesNotMatch(run.summary, /[{}|]|undefined/);
      assert.equal(
        run.creditsCharged,
        run.ledger.reduce((sum, { credits }) => sum + credits, 0),
      );
    }
  });

  it('name numbers and addresses that are no one’s', () => {
    const texts = JSON.stringify(everyRun.map(({ run }) => [run.input, run.output]));
    const numbers = texts.match(/\+1\d{10}/g) ?? [];
    assert.ok(numbers.length > 1_000);
    for (const number of numbers) assert.match(number, /^\+1\d{3}55501\d\d$/);
    for (const address of texts.match(/[\w.]+@[\w.]+/g) ?? []) assert.match(address, /example(?:\.com)?$/);
  });
});

describe('the conversations of the sample past', () => {
  const [business] = BUSINESSES;
  assert.ok(business);
  const conversations = makeConversations(business, past, RATE);

  it('are all over before the end, most of them without a person', () => {
    assert.ok(conversations.length > 40 && conversations.length < 140, `${conversations.length}`);
    assert.ok(conversations.every(({ lastAt }) => lastAt < END));
    const handed = conversations.filter(({ isHandedOff }) => isHandedOff).length;
    assert.ok(handed > 0 && handed < conversations.length / 2);
  });

  it('have a call of the model for each reply of the chatbot', () => {
    for (const { messages, calls } of conversations) assert.equal(calls.length, messages.filter(({ author }) => author === 'bot').length);
  });
});
