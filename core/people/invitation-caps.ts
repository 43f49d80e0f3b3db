/** Caps on invitation mails of one agency: they go to addresses that never asked for mail. See docs/behaviour/tenancy.md. */
export type InvitationCaps = { perHour: number; perDay: number; trialPerHour: number; trialPerDay: number };

/** Invitation mails of an agency within the last hour and day, with the time of the oldest of each. */
export type InvitationUse = { inHour: number; inDay: number; hourSince: Date | null; daySince: Date | null; isTrial: boolean };

export type CapReached = { limit: number; used: number; per: 'hour' | 'day'; retryAfterSeconds: number };

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Returns the cap that one more mail would exceed, the one that lasts longer first; null while there is none. */
export function capReached(caps: InvitationCaps, use: InvitationUse, now: Date): CapReached | null {
  const [perHour, perDay] = capsOf(caps, use);
  if (use.inDay >= perDay) return { limit: perDay, used: use.inDay, per: 'day', retryAfterSeconds: waitFor(use.daySince, DAY_MS, now) };
  if (use.inHour >= perHour)
    return { limit: perHour, used: use.inHour, per: 'hour', retryAfterSeconds: waitFor(use.hourSince, HOUR_MS, now) };
  return null;
}

/** Whether one more mail makes it half of the hourly cap: staff are notified then, before the cap stops an honest agency. */
export function startsBurst(caps: InvitationCaps, use: InvitationUse): boolean {
  return use.inHour + 1 === Math.ceil(capsOf(caps, use)[0] / 2);
}

/** Returns a wait in words: minutes up to two hours, then hours. */
export function waitInWords(seconds: number): string {
  const minutes = Math.max(1, Math.ceil(seconds / 60));
  const [count, unit] = minutes < 120 ? [minutes, 'minute'] : [Math.ceil(minutes / 60), 'hour'];
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}

function capsOf(caps: InvitationCaps, { isTrial }: InvitationUse): [perHour: number, perDay: number] {
  return isTrial ? [caps.trialPerHour, caps.trialPerDay] : [caps.perHour, caps.perDay];
}

function waitFor(since: Date | null, windowMs: number, now: Date): number {
  const endsAt = (since?.getTime() ?? now.getTime()) + windowMs;
  return Math.min(Math.max(1, Math.ceil((endsAt - now.getTime()) / 1000)), windowMs / 1000);
}
