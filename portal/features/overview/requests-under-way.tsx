import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { openRequestsQuery, REQUEST_STATUS } from '../../queries/agent-requests.ts';
import { Loaded } from '../../shared/loaded.tsx';
import { Mark } from '../../ui/feedback/mark.tsx';
import { SkeletonRows } from '../../ui/feedback/skeleton.tsx';
import { Section } from '../../ui/layout/layout.tsx';
import { formatAgo } from '../../ui/text/format.ts';

/** Requested agents that are not installed yet, next to the items that need attention. */
export function RequestsUnderWay({ clientId }: { clientId: string | undefined }) {
  const requests = useQuery(openRequestsQuery(clientId));
  return (
    <Section
      title="Being set up"
      aside={
        <Link to="/dashboard/requests" className="link text-xs">
          All requests
        </Link>
      }
    >
      <Loaded query={requests} skeleton={<SkeletonRows rows={2} height={58} label="Loading requests" />}>
        {({ data }) =>
          data.length === 0 ? (
            <p className="border-t border-line py-3 text-ink-2">
              No agents are being set up.{' '}
              <Link to="/dashboard/catalog" className="link">
                Browse the catalog
              </Link>
            </p>
          ) : (
            <ul className="border-t border-line">
              {data.map(({ id, title, clientName, status, timeline, createdAt }) => (
                <li key={id} className="flex gap-3 border-b border-line-soft py-2.75">
                  <Mark kind={REQUEST_STATUS[status].mark} className="mt-0.75" />
                  <div className="min-w-0 flex-1">
                    <p className="truncate max-md:-my-1 max-md:py-1">
                      <Link to="/dashboard/requests" search={{ request: id }} className="font-figure hover:underline max-md:py-1">
                        {title}
                      </Link>
                      <span className="text-ink-3"> for {clientName}</span>
                    </p>
                    <p className="flex gap-3 text-ink-2">
                      {REQUEST_STATUS[status].word}
                      <span className="tabular-nums ml-auto text-xs leading-5 text-ink-3">
                        {formatAgo(timeline.at(-1)?.at ?? createdAt)}
                      </span>
                    </p>
                  </div>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </Section>
  );
}
