import { PROVIDER_RULES } from '@partner-portal/core/credential/provider-rules.ts';
import { z } from 'zod';
import type { Booking } from '@partner-portal/core/schedule/booking-reminder.ts';
import { OutboundError } from '#platform/outbound/outbound-error.ts';
import type { OutboundAnswer, SafeFetch } from '#platform/outbound/safe-fetch.ts';
import { parseJson } from '#platform/parse-json.ts';

/** Why the bookings could not be read; `message` is a sentence for the customer. */
export type BookingProblem = 'key_refused' | 'too_fast' | 'provider_down' | 'provider_unreachable' | 'answer_unreadable';

export type BookingsRead =
  | { ok: true; bookings: Booking[]; /** False when there were more than are read at once. */ isWhole: boolean }
  | { ok: false; problem: BookingProblem; message: string };

/** Accepted bookings that start after `after` and not later than `until`. Never throws for what the provider does. */
export type ReadBookings = (key: { apiKey: string }, window: { after: Date; until: Date }) => Promise<BookingsRead>;

const PAGE = 100;
const PAGES_MAX = 20;
const CALL_MS = 10_000;
/** For all pages together; stays below the caller's lease. */
const BUDGET_MS = 60_000;
const ANSWER_BYTES_MAX = 4 * 1024 * 1024;
const TITLE = PROVIDER_RULES.calcom.title;
/** Placeholder address of attendees who left only a phone number. */
const PLACEHOLDER_MAIL = /@sms\.cal\.com$/i;

const text = z.string().nullish().catch(null);
const bookingShape = z.object({
  uid: z.string().min(1),
  status: z.string(),
  start: z.string(),
  attendees: z.array(z.object({ name: z.string().catch(''), email: text, phoneNumber: text })).catch([]),
  bookingFieldsResponses: z.object({ attendeePhoneNumber: text, smsReminderNumber: text, phone: text }).partial().nullish().catch(null),
});
const pageShape = z.object({
  data: z.array(bookingShape),
  pagination: z.object({ hasNextPage: z.boolean() }).partial().nullish().catch(null),
});

/** Reads bookings of the scheduling service (`GET /v2/bookings`, version 2024-08-13), earliest first, page by page. */
export function createBookingReader(deps: { fetch: Pick<SafeFetch, 'call'>; baseUrl: string }): ReadBookings {
  return async ({ apiKey }, { after, until }) => {
    const endsAt = performance.now() + BUDGET_MS;
    const bookings: Booking[] = [];
    for (let page = 0; page < PAGES_MAX; page++) {
      const left = endsAt - performance.now();
      if (left <= 0) return refusalOf('provider_down', 'took too long to list the bookings');
      const query = new URLSearchParams({
        status: 'upcoming',
        afterStart: after.toISOString(),
        sortStart: 'asc',
        take: String(PAGE),
        skip: String(page * PAGE),
      });
      const read = await readPage(deps, `${deps.baseUrl}/v2/bookings?${query}`, apiKey, Math.min(CALL_MS, left));
      if (!('data' in read)) return read;
      const inTime = read.data.filter((one) => new Date(one.start) <= until);
      bookings.push(...inTime.filter(isAccepted).map(toBooking));
      const isLast = read.data.length < PAGE && read.pagination?.hasNextPage !== true;
      if (isLast || read.data.length === 0 || inTime.length < read.data.length) return { ok: true, bookings, isWhole: true };
    }
    return { ok: true, bookings, isWhole: false };
  };
}

type Page = z.output<typeof pageShape>;
type Refusal = Extract<BookingsRead, { ok: false }>;

async function readPage(deps: { fetch: Pick<SafeFetch, 'call'> }, url: string, apiKey: string, timeoutMs: number): Promise<Page | Refusal> {
  let answer: OutboundAnswer;
  try {
    answer = await deps.fetch.call({
      method: 'GET',
      url,
      headers: { authorization: `Bearer ${apiKey}`, 'cal-api-version': '2024-08-13' },
      timeoutMs,
      answerBytesMax: ANSWER_BYTES_MAX,
    });
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    return { ok: false, problem: 'provider_unreachable', message: `${TITLE} could not be reached: ${error.message}` };
  }
  const { status } = answer;
  if (status === 401 || status === 403) return refusalOf('key_refused', 'refused the key');
  if (status === 429) return refusalOf('too_fast', 'is limiting requests');
  if (status < 200 || status >= 300) return refusalOf('provider_down', `answered with an error (${status})`);
  const parsed = answer.truncated ? undefined : pageShape.safeParse(parseJson(answer.body.toString('utf8'))).data;
  return parsed ?? refusalOf('answer_unreadable', 'gave an answer that could not be read');
}

function refusalOf(problem: BookingProblem, what: string): Refusal {
  return { ok: false, problem, message: `${TITLE} ${what}.` };
}

function isAccepted(one: Page['data'][number]): boolean {
  return one.status.toLowerCase() === 'accepted';
}

function toBooking(one: Page['data'][number]): Booking {
  const fields = one.bookingFieldsResponses;
  const phone = fields?.attendeePhoneNumber ?? fields?.smsReminderNumber ?? fields?.phone ?? null;
  return {
    uid: one.uid,
    start: new Date(one.start),
    attendees: one.attendees.map((attendee, index) => ({
      name: attendee.name,
      email: attendee.email && !PLACEHOLDER_MAIL.test(attendee.email) ? attendee.email : null,
      phone: attendee.phoneNumber ?? (index === 0 ? phone : null),
    })),
  };
}
