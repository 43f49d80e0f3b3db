/** Days for which the link to confirm works. */
export const CONFIRM_DAYS = 7;

/** Days after which a request that was not confirmed is deleted, and years for which an ended subscription is kept as proof of consent. */
export const KEEP_PENDING_DAYS = 30;
export const KEEP_LEFT_DAYS = 3 * 365;

const DAY_MS = 86_400_000;

/** Returns the subscriber whose link this is; null once it expired. */
export function openConfirmation(subject: readonly string[] | null, now: Date): string | null {
  const [id, expiresAt] = subject ?? [];
  return id !== undefined && Number(expiresAt) > now.getTime() ? id : null;
}

/** Returns the times before which requests and ended subscriptions are deleted. */
export function keptSince(now: Date): { pending: Date; left: Date } {
  const daysAgo = (days: number) => new Date(now.getTime() - days * DAY_MS);
  return { pending: daysAgo(KEEP_PENDING_DAYS), left: daysAgo(KEEP_LEFT_DAYS) };
}
