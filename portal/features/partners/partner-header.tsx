import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useCrumb } from '../../lib/crumb.ts';
import { formatDay, formatNumber, plural } from '../../lib/format.ts';
import { useTitle } from '../../lib/title.ts';
import { INSTANCE } from '../../lib/words.ts';
import { Badge } from '../../ui/badge.tsx';
import { PageHeader, TabCount, Tabs } from '../../ui/layout.tsx';
import { ErrorBlock } from '../../ui/note.tsx';
import { partnerQuery } from './queries.ts';

/** Name, state and tabs of one partner; its pages follow below. */
export function PartnerHeader({ partnerId }: { partnerId: string }) {
  const partner = useQuery(partnerQuery(partnerId));
  const { data } = partner;
  useTitle(data?.name);
  useCrumb(data?.name);
  if (partner.error)
    return (
      <div className="mb-5">
        <ErrorBlock error={partner.error} onRetry={() => void partner.refetch()} />
      </div>
    );
  const params = { partnerId };
  return (
    <>
      <PageHeader
        title={data?.name ?? ' '}
        badge={
          data ? (
            <>
              <Badge mark={INSTANCE[data.automationStatus].mark}>{INSTANCE[data.automationStatus].word}</Badge>
              {data.status === 'suspended' ? <Badge mark="warn">Suspended</Badge> : null}
            </>
          ) : null
        }
        meta={
          data
            ? `${data.planName ?? 'No plan'}, ${plural(data.counts.clients, 'client')}, ${plural(data.counts.agents, 'agent')}, partner since ${formatDay(data.createdAt)}`
            : ' '
        }
      />
      <Tabs label="Partner">
        <Link to="/admin/partners/$partnerId" params={params} activeOptions={{ exact: true }}>
          Overview
        </Link>
        <Link to="/admin/partners/$partnerId/clients" params={params}>
          Clients{data ? <TabCount>{formatNumber(data.counts.clients)}</TabCount> : null}
        </Link>
        <Link to="/admin/partners/$partnerId/automation" params={params}>
          Automation
        </Link>
      </Tabs>
    </>
  );
}
