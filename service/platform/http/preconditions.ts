import { AppError } from '../refuse.ts';

/**
 * Refuses `stale_record` when the caller sent `If-Match: "<updatedAt>"` and the record has moved on since.
 * Without the header, or with `*`, anything goes. Compare inside the transaction that writes.
 */
export function requireMatch(ifMatch: string | undefined, updatedAt: Date): void {
  if (ifMatch === undefined || ifMatch.trim() === '' || ifMatch.trim() === '*') return;
  const tags = ifMatch.split(',').map((tag) => tag.trim().replace(/^W\//, '').replace(/^"|"$/g, ''));
  // Times travel with milliseconds; the database keeps microseconds.
  if (tags.some((tag) => new Date(tag).getTime() === updatedAt.getTime())) return;
  throw new AppError('stale_record', { detail: 'Someone else changed this meanwhile. Load it again and repeat your change.' });
}
