import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useBreadcrumb } from '../../app/breadcrumb.ts';
import { formatDay, formatNumber, plural } from '../../ui/text/format.ts';
import { useTitle } from '../../ui/hooks/use-title.ts';
import { INSTANCE } from '../../shared/labels.ts';
import { Badge } from '../../ui/feedback/badge.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { PageHeader, TabCount, Tabs } from '../../ui/layout/layout.tsx';
import { ViewAsDialog } from '../../shared/view-as-dialog.tsx';
import { partnerQuery } from '../../queries/partners.ts';
import { useLoaded } from '../../app/route-data.ts';

/** Header and tabs of one partner; the route renders the page below. */
export function PartnerHeader({ partnerId }: { partnerId: string }) {
  const data = useLoaded(partnerQuery(partnerId));
  const [isAsking, setAsking] = useState(false);
  const isDeleted = data.status === 'deleted';
  // A deleted agency has left no name.
  const name = isDeleted ? 'Deleted agency' : data.name;
  useTitle(name);
  useBreadcrumb(name);
  const params = { partnerId };
  return (
    <>
      <PageHeader
        title={name}
        badge={
          <>
            {isDeleted ? null : <Badge mark={INSTANCE[data.automationStatus].mark}>{INSTANCE[data.automationStatus].word}</Badge>}
            {data.status === 'suspended' ? <Badge mark="warn">Suspended</Badge> : null}
            {data.status === 'deleted' ? <Badge mark="skip">Deleted</Badge> : null}
          </>
        }
        meta={`${data.planName ?? 'No plan'}, ${plural(data.counts.clients, 'client')}, ${plural(data.counts.agents, 'agent')}, partner since ${formatDay(data.createdAt)}`}
        actions={isDeleted ? undefined : <Button onClick={() => setAsking(true)}>View as agency</Button>}
      />
      <ViewAsDialog open={isAsking} onClose={() => setAsking(false)} name={data.name} scope={{ partnerId }} />
      <Tabs label="Partner">
        <Link to="/admin/partners/$partnerId" params={params} activeOptions={{ exact: true }}>
          Overview
        </Link>
        <Link to="/admin/partners/$partnerId/clients" params={params}>
          Clients<TabCount>{formatNumber(data.counts.clients)}</TabCount>
        </Link>
        <Link to="/admin/partners/$partnerId/team" params={params} activeOptions={{ includeSearch: false }}>
          Team
        </Link>
        <Link to="/admin/partners/$partnerId/billing" params={params} activeOptions={{ includeSearch: false }}>
          Billing
        </Link>
        <Link to="/admin/partners/$partnerId/automation" params={params}>
          Automation
        </Link>
        <Link to="/admin/partners/$partnerId/account" params={params} activeOptions={{ includeSearch: false }}>
          Account
        </Link>
        <Link to="/admin/partners/$partnerId/audit" params={params} activeOptions={{ includeSearch: false }}>
          Audit
        </Link>
      </Tabs>
    </>
  );
}
