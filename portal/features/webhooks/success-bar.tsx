import type { DeliveryStatus } from '@partner-portal/contract/vocabulary.ts';
import { successShare } from './labels.ts';
import './success-bar.css';

const SHOWN = 24;

/** The newest deliveries as strokes, oldest first, with the success rate. */
export function SuccessBar({ recent, isOff }: { recent: readonly DeliveryStatus[]; isOff: boolean }) {
  const share = successShare(recent);
  const shown = recent.slice(0, SHOWN).toReversed();
  const empty = Array.from({ length: SHOWN - shown.length });
  const failed = recent.filter((status) => status === 'failed').length;
  const words = share === null ? 'No result yet' : `${share} of the newest ${recent.length} deliveries arrived, ${failed} failed`;
  return (
    <span className="mt-2 flex items-center gap-2.5">
      <span className="success-bar" role="img" aria-label={words} title={words} data-off={isOff ? '' : undefined}>
        {empty.map((_, at) => (
          <i key={`empty ${at}`} />
        ))}
        {shown.map((status, at) => (
          <i key={at} data-status={status} />
        ))}
      </span>
      <span className="tabular-nums text-xs text-ink-2">{share ?? ''}</span>
    </span>
  );
}
