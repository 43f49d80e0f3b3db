import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { formatNumber, plural } from '../../ui/text/format.ts';
import { Mark } from '../../ui/feedback/mark.tsx';
import { Meter } from '../../ui/charts/meter.tsx';
import { teamQuery } from './team-queries.ts';

/** Seats used by members and pending invitations. */
export function SeatMeter() {
  const { data } = useInfiniteQuery(teamQuery);
  const seats = data?.pages.at(-1)?.seats;
  if (!seats) return null;
  const { used, total, pendingInvites } = seats;
  const isFull = used >= total;
  return (
    <div className="mb-5 max-w-105">
      <p className="tabular-nums mb-1.5 flex items-center gap-2">
        {isFull ? <Mark kind="warn" /> : null}
        <span>
          <b>{formatNumber(used)}</b> of {plural(total, 'seat')}
        </span>
        {pendingInvites > 0 ? (
          <span className="ml-auto text-xs text-ink-3">{plural(pendingInvites, 'open invitation')} included</span>
        ) : null}
      </p>
      <Meter used={used} limit={total} label="Seats taken" />
      {isFull ? (
        <p className="mt-1.5 text-xs text-ink-2">
          All seats are taken. To invite someone else,{' '}
          <Link className="link" to="/dashboard/billing">
            buy seats
          </Link>
          , revoke an invitation or remove a member.
        </p>
      ) : null}
    </div>
  );
}
