import { formatMoment, formatUtc, formatWhen } from './format.ts';

/** A time in the viewer's time zone; exact UTC on hover. */
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
    <time dateTime={iso} title={formatUtc(iso)} className={className}>
      {style === 'short' ? formatWhen(iso) : formatMoment(iso)}
    </time>
  );
}
