import type { TokenCounts } from '@partner-portal/core/quota/credits.ts';
import type { ReportedRun } from '@partner-portal/core/execution/reported.ts';
import type { JsonObject } from '@partner-portal/core/template/types.ts';
import { type AgentPlan, type Business, FIRST_NAMES, LAST_NAMES } from './businesses.ts';
import type { Chance } from './chance.ts';

/** An event of the past, and what the flow reports about it. */
export type Event = { input: JsonObject; report: ReportedRun; tokens: TokenCounts | null; isTexted: boolean };

type Step = NonNullable<ReportedRun['steps']>[number];
type Sample = { chance: Chance; business: Business; plan: AgentPlan };

/** Makes an event of an agent, and an end that is usual for it. */
export function makeEvent(chance: Chance, business: Business, plan: AgentPlan): Event {
  return MAKERS[plan.template]({ chance, business, plan });
}

/** The same event while the phone provider does not know the number that the agent texts from. */
export function senderRefused(event: Event): Event {
  const { steps = null } = event.report;
  const sent = steps?.some(({ name }) => name === 'send_text') === true;
  return sent ? { ...event, report: failedText(steps ?? [], '21606'), isTexted: false } : event;
}

/** What some customers wrote and allowed to be quoted. */
const WORDS: readonly string[] = [
  'Quick reply, friendly people, and everything was done when they said it would be.',
  'They called back within minutes and found a time that suited me.',
  'Clear price before the work began, and not a cent more at the end. I will come again.',
  'Kind, careful and on time. I have recommended them to my neighbours already.',
];

const MAKERS: Record<AgentPlan['template'], (sample: Sample) => Event> = {
  'missed-call-text-back': ({ chance, business, plan }) => {
    const contact = customerNumber(chance, business);
    const input = { callerNumber: contact, businessNumber: business.number };
    const check = { name: 'check_hours', status: 'succeeded', output: { to: contact } };
    const sent = (): Event => texted(chance, input, contact, [check], {});
    const luck = chance.next();
    if (luck < 0.035 && plan.textsAgainAtOnce) return sent();
    if (luck < 0.035) return stopped(input, 'check_hours', 'recently_contacted', 'This number got a text a short while ago');
    if (luck < 0.06) return { input, report: failedText([check], '21614'), tokens: null, isTexted: false };
    if (luck < 0.066) return { input, report: failedText([check], '30008'), tokens: null, isTexted: false };
    return sent();
  },
  'review-request': ({ chance, business }) => {
    const contact = customerNumber(chance, business);
    const rating = chance.pick([5, 5, 5, 5, 5, 4, 4, 4, 5, 3, 2] as const);
    const customerName = fullName(chance);
    // 4 % of the callers wrote something. They are chosen by the last digits of the number, because another random draw would change the rest of the history.
    const words = rating === 5 ? WORDS[Number(contact.slice(-2))] : undefined;
    const input = {
      customerName,
      customerPhone: contact,
      rating,
      service: chance.pick(business.services),
      ...(words === undefined ? {} : { comment: words, mayQuote: true }),
    };
    const quote = words === undefined ? null : { words, customer: customerName.split(' ')[0] ?? '', rating };
    if (rating < 4) {
      const mailId = mailIdOf(chance);
      const steps = [
        { name: 'route_rating', status: 'succeeded', output: { byText: false, byMail: true, rating } },
        { name: 'mail_owner', status: 'succeeded', output: { id: mailId } },
      ];
      return { input, report: { status: 'SUCCEEDED', output: { asked: false, mailId }, steps }, tokens: null, isTexted: false };
    }
    const route = { name: 'route_rating', status: 'succeeded', output: { byText: true, byMail: false, contacted: contact } };
    const luck = chance.next();
    if (luck < 0.04) return stopped(input, 'route_rating', 'recently_contacted', 'This number got a text a short while ago');
    if (luck < 0.06) return { input, report: failedText([route], '21614'), tokens: null, isTexted: false };
    return texted(chance, input, contact, [route], { asked: true, quote });
  },
  'lead-intake-cleaner': ({ chance, business }) => {
    const name = fullName(chance);
    const luck = chance.next();
    const verdict = luck < 0.05 ? 'junk' : luck < 0.14 ? 'incomplete' : 'ready';
    const email = verdict === 'incomplete' ? '' : `${name.toLowerCase().replace(' ', '.')}@example.com`;
    const phone = chance.next() < 0.7 ? customerNumber(chance, business) : '';
    const message =
      verdict === 'junk'
        ? 'We bring your website to the first page of every search.'
        : `Hello, I need help with ${chance.pick(business.services)}. When do you have time?`;
    const quality = verdict === 'junk' ? 0 : 40 + (email === '' ? 0 : 35) + (phone === '' ? 0 : 25);
    const missing = verdict === 'incomplete' ? ['email'] : [];
    const out = { lead: { name, email, phone, message, quality, verdict, missing }, quality, verdict, missing, duplicates: 0 };
    const input = { name, message, ...(email === '' ? {} : { email }), ...(phone === '' ? {} : { phone }) };
    return {
      input,
      report: { status: 'SUCCEEDED', output: out, steps: [{ name: 'clean_lead', status: 'succeeded', output: out }] },
      tokens: null,
      isTexted: false,
    };
  },
  'ai-faq-reply': ({ chance, business }) => {
    const contact = customerNumber(chance, business);
    const { asked, answer } = chance.pick(business.questions);
    const input = { from: contact, body: asked, to: business.number };
    const tokens = { inputTokens: chance.between(260, 420), outputTokens: chance.between(30, 90) };
    const confidence = answer === null ? 0.3 : chance.pick([0.9, 0.95, 0.85, 1] as const);
    const before = [
      { name: 'check_message', status: 'succeeded', output: { from: contact, question: asked } },
      { name: 'answer_question', status: 'succeeded', output: { model: 'gpt-4.1-mini' } },
    ];
    if (answer === null) {
      const mailId = mailIdOf(chance);
      const steps = [
        ...before,
        { name: 'decide_reply', status: 'succeeded', output: { byText: false, byMail: true, confidence } },
        { name: 'hand_over', status: 'succeeded', output: { id: mailId } },
      ];
      return { input, report: { status: 'SUCCEEDED', output: { confidence, handedOver: true, mailId }, steps }, tokens, isTexted: false };
    }
    const steps = [
      ...before,
      { name: 'decide_reply', status: 'succeeded', output: { byText: true, byMail: false, confidence, reply: answer } },
    ];
    return { ...texted(chance, input, contact, steps, { reply: answer, confidence, handedOver: false }, 'reply_by_text'), tokens };
  },
};

function texted(chance: Chance, input: JsonObject, contact: string, steps: Step[], values: JsonObject, step = 'send_text'): Event {
  const messageId = `SM${chance.hex(32)}`;
  const sent = { name: step, status: 'succeeded', output: { sid: messageId, status: 'queued', to: contact } };
  return {
    input,
    report: { status: 'SUCCEEDED', output: { contacted: contact, ...values, messageId }, steps: [...steps, sent] },
    tokens: null,
    isTexted: true,
  };
}

/** The agent ended early on purpose. */
function stopped(input: JsonObject, step: string, reason: string, message: string): Event {
  const output = { skipped: true, reason, message };
  return {
    input,
    report: { status: 'SUCCEEDED', output, steps: [{ name: step, status: 'succeeded', output }] },
    tokens: null,
    isTexted: false,
  };
}

/** The phone provider refuses the text with a code of its own: https://www.twilio.com/docs/api/errors. */
function failedText(steps: readonly Step[], code: string): ReportedRun {
  const message = 'Twilio did not accept the request (400)';
  return {
    status: 'FAILED',
    output: null,
    error: { code: `twilio_400_${code}`, message, stepName: 'send_text' },
    steps: [...steps.filter(({ name }) => name !== 'send_text'), { name: 'send_text', status: 'failed', error: message }],
  };
}

/** A number that is reserved for fiction. */
function customerNumber(chance: Chance, { areaCodes }: Business): string {
  return `+1${chance.pick(areaCodes)}55501${String(chance.between(0, 99)).padStart(2, '0')}`;
}

function fullName(chance: Chance): string {
  return `${chance.pick(FIRST_NAMES)} ${chance.pick(LAST_NAMES)}`;
}

function mailIdOf(chance: Chance): string {
  return `${chance.hex(8)}-${chance.hex(4)}-4${chance.hex(3)}-8${chance.hex(3)}-${chance.hex(12)}`;
}
