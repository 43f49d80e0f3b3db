import type { JsonObject } from '../template/types.ts';
import { outsideQuietHours, QUIET_SHIFT_HOURS_MAX, type QuietHours } from './quiet-hours.ts';

/** Plans the reminders of a booking: one per lead time, at exactly that time before the visit, or before the quiet hours that a text falls into. */

/** A booking, as returned by the scheduling provider. */
export type Booking = {
  uid: string;
  start: Date;
  /** Only the first is reminded. */
  attendees: readonly { name: string; email: string | null; phone: string | null }[];
};

export type Reminder = {
  /** With `dueAt` the deduplication key of the planned run. */
  subject: string;
  label: string;
  dueAt: Date;
  /** After this the agent itself would skip the reminder as late. */
  lastAt: Date;
  input: JsonObject;
};

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
/** The agent accepts a reminder up to an hour after it was due; the execution needs one minute of that. */
export const REMINDER_LATE_MINUTES_MAX = 59;
/** A reminder this overdue cannot be started in time. */
const MISSED_MS = (REMINDER_LATE_MINUTES_MAX - 2) * MINUTE_MS;

/**
 * Returns the reminders that are due until `window.until`, including one missed less than `MISSED_MS` ago. When several were missed, only
 * the last is returned, so that a person never gets two at once. `quiet`: the quiet hours of an agent that texts; null for one that does not.
 */
export function planReminders(
  booking: Booking,
  leadHours: readonly number[],
  window: { now: Date; until: Date },
  quiet: QuietHours | null,
): Reminder[] {
  const start = booking.start.getTime();
  const now = window.now.getTime();
  const [attendee] = booking.attendees;
  if (attendee === undefined || Number.isNaN(start) || start <= now) return [];
  const moved = (at: number): number => (quiet === null || attendee.phone === null ? at : outsideQuietHours(new Date(at), quiet).getTime());
  const planned = leadHours.filter((hours) => Number.isFinite(hours) && hours > 0).map((hours) => moved(start - hours * HOUR_MS));
  const marks = [...new Set(planned)]
    .filter((mark) => mark > now - MISSED_MS && mark <= window.until.getTime())
    .toSorted((one, other) => one - other);
  const lastMissed = marks.findLast((mark) => mark <= now);
  return marks
    .filter((mark) => mark > now || mark === lastMissed)
    .map((mark) => ({
      subject: `booking:${booking.uid.slice(0, 200)}`,
      label: attendee.name.slice(0, 120),
      dueAt: new Date(mark),
      lastAt: new Date(mark + REMINDER_LATE_MINUTES_MAX * MINUTE_MS),
      input: {
        attendeeName: attendee.name,
        startTime: booking.start.toISOString(),
        bookingUid: booking.uid,
        ...(attendee.phone === null ? {} : { attendeePhone: attendee.phone }),
        ...(attendee.email === null ? {} : { attendeeEmail: attendee.email }),
      },
    }));
}

/** Returns the latest booking start that can have a reminder due until `until`, also one that is due before quiet hours. */
export function latestBookingStart(leadHours: readonly number[], until: Date, quiet: QuietHours | null): Date {
  const longest = Math.max(0, ...leadHours.filter((hours) => Number.isFinite(hours)));
  const shift = quiet === null || quiet.range === '' ? 0 : QUIET_SHIFT_HOURS_MAX;
  return new Date(until.getTime() + (longest + shift) * HOUR_MS);
}
