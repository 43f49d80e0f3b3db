import { formatMoment, formatUtc, formatWhen, placeOf } from './format.ts';
import { readerZone } from './reader.ts';

/** A time in the time zone of the reader's profile; on hover exactly, with both zones. */
export function Time({
  iso,
  style = 'short',
  className,
}: {
  iso: string | null | undefined;
  style?: 'short' | 'long';
  className?: string;
}) {
  if (!iso) return <span className="text-ink-3">–</span>;
  return (
    <time dateTime={iso} title={`${formatMoment(iso)} in ${placeOf(readerZone())}, ${formatUtc(iso)}`} className={className}>
      {style === 'short' ? formatWhen(iso) : formatMoment(iso)}
    </time>
  );
}
