import { setReaderClock } from '../ui/text/reader.ts';

/** Older data may have changed more often than a stream replays. */
const RECENT_MS = 30_000;
/** A response shows the state at the start of its read. Margin: the longest read, plus the second that the Date header rounds off. */
const READ_MS = 10_000;

/** Milliseconds that the service's clock is ahead of the browser's; undefined until it has responded. */
let ahead: number | undefined;

/** Compares the clocks by the Date of a response (RFC 9110, 6.6.1). */
export function noteServerTime({ headers }: Response): void {
  const at = Date.parse(headers.get('date') ?? '');
  if (Number.isNaN(at)) return;
  ahead = at - Date.now();
  setReaderClock(ahead);
}

/**
 * Returns the event id from which a stream whose ids are times continues what the page read at `readAt` (ms of the browser's clock); undefined when that was
 * long ago or the service's clock is not known.
 */
export function eventIdSince(readAt: number): string | undefined {
  if (ahead === undefined || Date.now() - readAt > RECENT_MS) return undefined;
  return String(Math.floor(readAt + ahead - READ_MS));
}
