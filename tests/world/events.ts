import type { Json, JsonObject } from '@partner-portal/core/template/types.ts';
import type { Send, TemplateName } from './row.ts';

/** A plausible event for each template, of which a row replaces the value that it is about. */

type Roles = { phone?: string; mail?: string; time?: string; person?: string; words?: string };

/** The inputs of a template by what they hold. */
export const ROLES: { readonly [name in TemplateName]: Roles } = {
  'ai-email-triage': { mail: 'fromEmail', words: 'text' },
  'ai-faq-reply': { phone: 'from', words: 'body' },
  'appointment-reminder': { phone: 'attendeePhone', mail: 'attendeeEmail', time: 'startTime', person: 'attendeeName' },
  'daily-sql-report': { time: 'runDate' },
  'lead-follow-up-email': { mail: 'leadEmail', person: 'leadName', words: 'message' },
  'lead-intake-cleaner': { phone: 'phone', mail: 'email', person: 'name', words: 'message' },
  'lead-qualifier': { phone: 'leadPhone', mail: 'leadEmail', person: 'leadName', words: 'message' },
  'missed-call-text-back': { phone: 'callerNumber' },
  'no-show-rebooking': { phone: 'attendeePhone', person: 'attendeeName' },
  'quote-follow-up': { phone: 'customerPhone', mail: 'customerEmail', time: 'sentAt', person: 'customerName' },
  'review-request': { phone: 'customerPhone', person: 'customerName', words: 'service' },
  'weekly-insight-digest': { time: 'runDate' },
};

/** Templates whose people are texted, and of those the ones that do nothing else. */
export const TEXTING: readonly TemplateName[] = [
  'missed-call-text-back',
  'ai-faq-reply',
  'review-request',
  'no-show-rebooking',
  'quote-follow-up',
  'appointment-reminder',
];
export const TEXTS_ONLY: readonly TemplateName[] = ['missed-call-text-back', 'no-show-rebooking'];
export const TIMED: readonly TemplateName[] = ['appointment-reminder', 'quote-follow-up'];

const EVENTS: { readonly [name in TemplateName]: JsonObject } = {
  'ai-email-triage': { fromEmail: 'ada@example.com', subject: 'Question about my invoice', text: 'Could you check invoice 1024?' },
  'ai-faq-reply': { from: '+13125550121', to: '+13125550100', body: 'When are you open on Saturday?' },
  'appointment-reminder': { attendeeName: 'Ada Byron', startTime: '@now+90m', attendeePhone: '+13125550121' },
  'daily-sql-report': { runDate: '2027-01-05' },
  'lead-follow-up-email': { leadName: 'Ada Byron', leadEmail: 'ada@example.com', message: 'Do you still take new patients?' },
  'lead-intake-cleaner': { name: 'Ada Byron', email: 'ada@example.com', message: 'Do you have time on Friday?' },
  'lead-qualifier': { leadName: 'Ada Byron', message: 'I need a new roof this week, my budget is 12,000. Please call me today.' },
  'missed-call-text-back': { callerNumber: '+13125550121', businessNumber: '+13125550100' },
  'no-show-rebooking': { attendeeName: 'Ada Byron', attendeePhone: '+13125550121' },
  'quote-follow-up': {
    customerName: 'Ada Byron',
    quoteUrl: 'https://oak.example/quote/1024',
    customerPhone: '+13125550121',
    sentAt: '@now-50h',
  },
  'review-request': { customerName: 'Ada Byron', customerPhone: '+13125550121', service: 'Roof repair' },
  'weekly-insight-digest': { runDate: '2027-01-05' },
};

let people = 0;

/** A number that no other row texts: reminders and nudges of one person count as one. */
export const someone = (): string => `+1312555${String(2_000 + people++)}`;

/** The template's event with these inputs in place of its own; undefined removes one. */
export function eventOf(template: TemplateName, inputs: { readonly [key: string]: Json | undefined } = {}): JsonObject {
  const merged = Object.entries({ ...EVENTS[template], ...inputs }).filter((entry): entry is [string, Json] => entry[1] !== undefined);
  return Object.fromEntries(merged);
}

const withRole =
  (role: keyof Roles) =>
  (value: Json | undefined, others: { readonly [key: string]: Json | undefined } = {}) =>
  (template: TemplateName): Send => {
    const key = ROLES[template][role];
    if (key === undefined) throw new Error(`${template} has no ${role}.`);
    return { body: eventOf(template, { ...others, [key]: value }) };
  };

/** Events about this person's number, address, time, name or words, as JSON. */
export const phone = withRole('phone');
export const mail = withRole('mail');
export const time = withRole('time');
export const person = withRole('person');
export const words = withRole('words');

type Fields = readonly (readonly [string, string])[] | { readonly [name: string]: string };

/** The fields as a form, in their order; a name may come more than once. */
export function form(fields: Fields, headers: Send['headers'] = {}): () => Send {
  const pairs = isPairs(fields) ? fields : Object.entries(fields);
  const body = new URLSearchParams(pairs.map(([name, value]): [string, string] => [name, value])).toString();
  return () => ({ body, contentType: 'application/x-www-form-urlencoded', headers });
}

function isPairs(fields: Fields): fields is readonly (readonly [string, string])[] {
  return Array.isArray(fields);
}

/** A JSON body, of any template. */
export const json =
  (body: Json, headers: Send['headers'] = {}) =>
  (): Send => ({ body, headers });

/** A body as these bytes or this text. */
export const raw =
  (body: string | Buffer, contentType: string | null = 'application/json') =>
  (): Send => ({ body, contentType });

/** multipart/form-data of text fields and files, as a browser, a mail gateway or an HTTP client of a form builder sends it. */
export const multipart =
  (fields: readonly (readonly [string, string])[], files: readonly { field: string; filename: string; content: string }[] = []) =>
  (): Send => {
    const boundary = '------------------------d74496d66958873e';
    const head = (name: string): string => `--${boundary}\r\nContent-Disposition: form-data; name="${name}"`;
    const parts = fields.map(([name, value]) => `${head(name)}\r\n\r\n${value}\r\n`);
    const ofFiles = files.map(
      ({ field, filename, content }) =>
        `${head(field)}; filename="${filename}"\r\nContent-Type: application/octet-stream\r\n\r\n${content}\r\n`,
    );
    return { body: `${[...ofFiles, ...parts].join('')}--${boundary}--\r\n`, contentType: `multipart/form-data; boundary=${boundary}` };
  };
