import { createContext, type ReactNode, useContext, useSyncExternalStore } from 'react';
import { formatMoment, formatPast, isSameDay, formatUtc, formatWhen, placeOf } from './format.ts';
import { readerNow, readerZone } from './reader.ts';

const IsRelative = createContext(false);

/** Times in it say how long ago they were, within a day. */
export function RelativeTimes({ children }: { children: ReactNode }) {
  return <IsRelative value>{children}</IsRelative>;
}

type Props = { iso: string | null | undefined; style?: 'short' | 'long'; className?: string };

/**
 * A time in the time zone of the reader's profile; on hover exactly, with both zones. In the rows of a table "12 min ago", which goes on while it is shown;
 * exactly also while the row has the focus.
 */
export function Time({ iso, style = 'short', className }: Props) {
  const isRelative = useContext(IsRelative) && style === 'short';
  if (!iso) return <span className="text-ink-3">–</span>;
  const moment = formatMoment(iso);
  return (
    <time
      dateTime={iso}
      title={`${moment} in ${placeOf(readerZone())}, ${formatUtc(iso)}`}
      // The clock alone while it is the same day: it is no wider than the text that it covers.
      data-exact={isRelative ? (isSameDay(new Date(iso), new Date()) ? formatWhen(iso) : moment) : undefined}
      className={className}
    >
      {isRelative ? <Ago iso={iso} /> : style === 'short' ? formatWhen(iso) : moment}
    </time>
  );
}

/** Rendered again only when its text changes. */
function Ago({ iso }: { iso: string }) {
  const text = (): string => formatPast(iso, listeners.size === 0 ? readerNow() : now);
  return useSyncExternalStore(subscribe, text, text);
}

/** How often the time that has passed is looked at: minutes are the smallest unit that is shown. */
const TICK_MS = 15_000;

let now = readerNow();
let timer: ReturnType<typeof setInterval> | undefined;
const listeners = new Set<() => void>();

/** One timer serves all times of the page, and none runs without one. */
function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) {
    timer = setInterval(tick, TICK_MS);
    now = readerNow();
  }
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) clearInterval(timer);
  };
}

function tick(): void {
  now = readerNow();
  for (const listener of listeners) listener();
}
