import { AppError } from '../refuse.ts';

/**
 * Refuses `stale_record` when the caller sent `If-Match: "<updatedAt>"` and the record has changed since. Without the header, or with
 * `*`, it passes. Call it inside the transaction that writes.
 */
export function requireMatch(ifMatch: string | undefined, updatedAt: Date): void {
  if (ifMatch === undefined || ifMatch.trim() === '' || ifMatch.trim() === '*') return;
  const tags = ifMatch.split(',').map((tag) => tag.trim().replace(/^W\//, '').replace(/^"|"$/g, ''));
  // The API sends milliseconds; the database stores microseconds.
  if (tags.some((tag) => new Date(tag).getTime() === updatedAt.getTime())) return;
  throw new AppError('stale_record', { detail: 'Reload the record, then make your change again.' });
}
