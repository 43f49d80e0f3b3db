import type { JsonObject } from '../template/types.ts';

/**
 * Which reminders of a booking are to be planned: one per lead time, at exactly that time before the visit. Pure; the
 * present comes from the caller. Source: product.md §8, row 2.
 */

/** A visit as the scheduling service tells it. */
export type Booking = {
  uid: string;
  start: Date;
  /** Whom it is with; the first counts. */
  attendees: readonly { name: string; email: string | null; phone: string | null }[];
};

export type Reminder = {
  /** With the moment the key under which it is planned once. */
  subject: string;
  label: string;
  dueAt: Date;
  /** After this moment the agent itself would say that none is due any more. */
  lastAt: Date;
  input: JsonObject;
};

const HOUR_MS = 3_600_000;
/** The agent sends a reminder within the hour that begins at its moment; the run needs a minute of it. */
const LATE_MS = 59 * 60_000;
/** What was missed this long ago cannot be begun in time. */
const MISSED_MS = 57 * 60_000;

/**
 * The reminders whose moment lies between just now (one that was missed a while ago is still sent) and `until`. Of several that
 * were missed only the last is one: two reminders at once would be no use to anybody.
 */
export function planReminders(booking: Booking, leadHours: readonly number[], window: { now: Date; until: Date }): Reminder[] {
  const start = booking.start.getTime();
  const now = window.now.getTime();
  const [attendee] = booking.attendees;
  if (attendee === undefined || Number.isNaN(start) || start <= now) return [];
  const marks = [...new Set(leadHours)]
    .filter((hours) => Number.isFinite(hours) && hours > 0)
    .map((hours) => start - hours * HOUR_MS)
    .filter((mark) => mark > now - MISSED_MS && mark <= window.until.getTime())
    .toSorted((one, other) => one - other);
  const lastMissed = marks.findLast((mark) => mark <= now);
  return marks
    .filter((mark) => mark > now || mark === lastMissed)
    .map((mark) => ({
      subject: `booking:${booking.uid.slice(0, 200)}`,
      label: attendee.name.slice(0, 120),
      dueAt: new Date(mark),
      lastAt: new Date(mark + LATE_MS),
      input: {
        attendeeName: attendee.name,
        startTime: booking.start.toISOString(),
        bookingUid: booking.uid,
        ...(attendee.phone === null ? {} : { attendeePhone: attendee.phone }),
        ...(attendee.email === null ? {} : { attendeeEmail: attendee.email }),
      },
    }));
}

/** How far ahead visits must be known, so that each of their reminders up to `until` is. */
export function latestBookingStart(leadHours: readonly number[], until: Date): Date {
  const longest = Math.max(0, ...leadHours.filter((hours) => Number.isFinite(hours)));
  return new Date(until.getTime() + longest * HOUR_MS);
}
