/** What is older may have changed more often than a stream repeats. */
const RECENT_MS = 30_000;
/** A reply shows the state of its beginning: the longest that a read takes, and the second that a response's Date leaves out. */
const READ_MS = 10_000;

/** Milliseconds that the service's clock is ahead of the browser's; undefined until it has responded. */
let ahead: number | undefined;

/** Compares the clocks by the Date of a response (RFC 9110, 6.6.1). */
export function noteServerTime({ headers }: Response): void {
  const at = Date.parse(headers.get('date') ?? '');
  if (!Number.isNaN(at)) ahead = at - Date.now();
}

/**
 * Returns the event id from which a stream whose ids are times continues what the page read at `readAt` (ms of the browser's clock); undefined when that was
 * long ago or the service's clock is not known.
 */
export function eventIdSince(readAt: number): string | undefined {
  if (ahead === undefined || Date.now() - readAt > RECENT_MS) return undefined;
  return String(readAt + ahead - READ_MS);
}
