import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useCrumb } from '../../app/breadcrumb.ts';
import { isLost } from '../../app/errors.ts';
import { formatDay, formatNumber, plural } from '../../ui/text/format.ts';
import { useTitle } from '../../ui/hooks/use-title.ts';
import { INSTANCE } from '../../shared/labels.ts';
import { Badge } from '../../ui/feedback/badge.tsx';
import { Button, buttonClass } from '../../ui/controls/button.tsx';
import { PageHeader, TabCount, Tabs } from '../../ui/layout/layout.tsx';
import { PageError } from '../../shared/page-error.tsx';
import { ViewAsDialog } from '../../shared/view-as-dialog.tsx';
import { partnerQuery } from './queries.ts';

/** Header and tabs of one partner; the route renders the page below. */
export function PartnerHeader({ partnerId }: { partnerId: string }) {
  const partner = useQuery(partnerQuery(partnerId));
  const { data } = partner;
  const [isAsking, setAsking] = useState(false);
  useTitle(data?.name);
  useCrumb(data?.name);
  if (isLost(partner))
    return (
      <PageError error={partner.error} onRetry={() => void partner.refetch()} thing="partner">
        <Link to="/admin/partners" className={buttonClass()}>
          All partners
        </Link>
      </PageError>
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
        actions={data ? <Button onClick={() => setAsking(true)}>View as agency</Button> : null}
      />
      <ViewAsDialog open={isAsking} onClose={() => setAsking(false)} name={data?.name ?? ''} scope={{ partnerId }} />
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
        <Link to="/admin/partners/$partnerId/audit" params={params} activeOptions={{ includeSearch: false }}>
          Audit
        </Link>
      </Tabs>
    </>
  );
}
