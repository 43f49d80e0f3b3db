import { formatLongDay } from '../ui/text/format.ts';

/** What the rejection of a reactivation starts or leaves in place, where the deletion of the account is approved; empty without one. */
export function rejectionText(purgeAfter: string | null, now: Date = new Date()): string {
  if (purgeAfter === null) return '';
  const day = formatLongDay(purgeAfter);
  return new Date(purgeAfter) <= now
    ? `Its removal was due on ${day}: it begins within a minute and cannot be undone.`
    : `Its removal stays due on ${day}.`;
}

/** What a rejected reactivation left, once it is rejected. */
export function rejectedText(name: string, purgeAfter: string | null, now: Date = new Date()): string {
  if (purgeAfter === null) return `Rejected. ${name} stays suspended.`;
  return new Date(purgeAfter) <= now
    ? `Rejected. The removal of ${name} begins now.`
    : `Rejected. ${name} stays suspended until its removal on ${formatLongDay(purgeAfter)}.`;
}
