import { aiCostMinor, aiCredits, type TokenRate } from '@partner-portal/core/quota/credits.ts';
import { Temporal } from 'temporal-polyfill';
import type { Business } from './businesses.ts';
import { createChance, idAt } from './chance.ts';
import { hourOf, type Past } from './make-runs.ts';

/** A conversation of the past, closed, with its messages and what the replies of the chatbot cost. */
export type PastConversation = {
  id: string;
  visitorKey: string;
  startedAt: Date;
  lastAt: Date;
  isHandedOff: boolean;
  messages: { id: string; author: 'visitor' | 'bot' | 'human'; content: string; at: Date }[];
  calls: { id: string; at: Date; settledAt: Date; inputTokens: number; outputTokens: number; credits: number; costMinor: number }[];
};

export type ModelRate = TokenRate & {
  id: string;
  inputCostMinor: number;
  outputCostMinor: number;
  currency: string;
  creditPriceMinor: number;
};

/** Each pair is what the visitor wrote and what the chatbot replied; `human` is the reply of a person, who took over after the last pair. */
type Script = { turns: readonly (readonly [string, string])[]; human?: string };

const SCRIPTS: readonly [Script, ...Script[]] = [
  { turns: [['What are your opening hours?', 'We are open Monday to Friday from 8:00 to 17:00.']] },
  {
    turns: [
      ['How much is a cleaning?', 'A check-up with cleaning costs $120.'],
      ['And whitening?', 'Whitening costs $300.'],
    ],
  },
  { turns: [['Where can I park?', 'Parking is free behind the house.']] },
  {
    turns: [
      ['Is there an elevator? My mother uses a wheelchair.', 'The entrance and the treatment rooms have no steps.'],
      ['Great, thank you', 'You are welcome. We look forward to your visit.'],
    ],
  },
  { turns: [['Can I pay in installments?', 'Treatments above $500 can be paid in six monthly rates without interest.']] },
  {
    turns: [['My son is 6. What does a check-up cost for him?', 'A check-up for children under 12 costs $80. A parent stays in the room.']],
  },
  { turns: [['When can I drink coffee after whitening?', 'Avoid coffee, tea and red wine for 48 hours.']] },
  {
    turns: [
      ['I chipped a tooth. Can I come today?', 'Yes. Call before 10:00 and we see you the same day. An emergency visit costs $95.'],
      ['OK, I will call', 'We are glad to help.'],
    ],
  },
  {
    turns: [
      [
        'I am very nervous about the dentist',
        'Please mention it when you book. We explain every step and take breaks when you raise your hand.',
      ],
    ],
  },
  {
    turns: [['Do you take my insurance, Cigna?', 'I do not know that for sure. I am passing you on to a person.']],
    human: 'Hello, this is Elena from the practice. Yes, we take Cigna for check-ups and fillings.',
  },
  {
    turns: [['I was charged twice for my filling', 'I am sorry. I am passing you on to a person.']],
    human: 'Hello, this is Elena. You are right, the second charge was a mistake. The money is back on your card in two days.',
  },
];

/** Conversations of a day from Monday to Sunday, as often as people write to a website. */
const WEEK = [1.4, 1.2, 1.1, 1.2, 1, 0.6, 0.5] as const;

/** Makes the conversations of a chatbot, oldest first. */
export function makeConversations(business: Business, past: Past, rate: ModelRate): PastConversation[] {
  const chance = createChance(`${business.name} conversations ${past.firstDay.toString()}`);
  const made: PastConversation[] = [];
  for (let day = 0; day < past.days; day += 1) {
    const date = past.firstDay.add({ days: day });
    for (let count = chance.around(WEEK[date.dayOfWeek - 1] ?? 1); count > 0; count -= 1) {
      const plainTime = Temporal.PlainTime.from('07:00').add({ minutes: chance.between(0, 14 * 60) });
      const startedAt = new Date(
        date.toZonedDateTime({ timeZone: business.timezone, plainTime }).epochMilliseconds + chance.between(0, 59_000),
      );
      const { turns, human } = chance.pick(SCRIPTS);
      const conversation: PastConversation = {
        id: idAt(chance),
        visitorKey: idAt(chance),
        startedAt,
        lastAt: startedAt,
        isHandedOff: human !== undefined,
        messages: [],
        calls: [],
      };
      let at = startedAt.getTime();
      const say = (author: 'visitor' | 'bot' | 'human', content: string): void => {
        conversation.lastAt = new Date(at);
        conversation.messages.push({ id: idAt(chance, conversation.lastAt), author, content, at: conversation.lastAt });
      };
      for (const [asked, reply] of turns) {
        say('visitor', asked);
        const called = new Date(at + 40);
        at += chance.between(900, 2_400);
        const tokens = { inputTokens: chance.between(500, 900), outputTokens: Math.ceil(reply.length / 4) + chance.between(8, 24) };
        const settledAt = new Date(at);
        const [credits, costMinor] = [aiCredits(tokens, rate), aiCostMinor(tokens, rate)];
        conversation.calls.push({ id: idAt(chance, called), at: called, settledAt, ...tokens, credits, costMinor });
        say('bot', reply);
        at += chance.between(15_000, 60_000);
      }
      if (human !== undefined) {
        at += chance.between(2, 9) * 60_000;
        say('human', human);
      }
      const isWithinHours = conversation.calls.every((call) => hourOf(call.at) === hourOf(call.settledAt));
      if (conversation.lastAt < past.end && isWithinHours) made.push(conversation);
    }
  }
  return made.toSorted((one, other) => one.startedAt.getTime() - other.startedAt.getTime());
}
