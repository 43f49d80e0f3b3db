import { wholePercent } from '@partner-portal/core/quota/quota.ts';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api, formApi, type Reply } from '../../app/api.ts';
import { queryClient } from '../../app/query-client.ts';
import { formatNumber, plural } from '../../ui/text/format.ts';
import { Button } from '../../ui/controls/button.tsx';
import { ConfirmDialog } from '../../ui/overlays/dialog.tsx';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { Field, TextArea } from '../../ui/forms/field.tsx';
import { Figures, KeyValues, Panel, Section } from '../../ui/layout/layout.tsx';
import { Form } from '../../shared/forms/form.tsx';
import { useForm } from '../../shared/forms/use-form.ts';
import { ErrorBlock } from '../../shared/error-block.tsx';
import { Loaded } from '../../shared/loaded.tsx';
import { ResumeDialog } from '../../shared/resume-dialog.tsx';
import { SkeletonRows } from '../../ui/feedback/skeleton.tsx';
import { type Column, Table } from '../../ui/table/table.tsx';
import { PersonCell } from '../../ui/identity/person-cell.tsx';
import { Time } from '../../ui/text/time.tsx';
import { announce } from '../../ui/feedback/toast.tsx';
import { announceError } from '../../shared/announce-error.ts';
import { CLIENT_COLUMNS } from './partner-clients.tsx';
import { PartnerDays, usePartnerDays } from './partner-days.tsx';
import { deletionPreviewQuery } from '../../queries/account.ts';
import { partnerQuery } from '../../queries/partners.ts';
import { partnerClientsQuery, partnersOnboardingQuery, partnerUsersQuery } from './queries.ts';
import { SsoRelease } from './sso-release.tsx';
import { refreshAfter } from '../../queries/refresh.ts';
import { useLoaded } from '../../app/route-data.ts';

type Partner = Reply<'getPartner'>;
type User = Reply<'listUsers'>['data'][number];

/** One partner: figures, clients, users and account. */
export function PartnerOverview({ partnerId }: { partnerId: string }) {
  const data = useLoaded(partnerQuery(partnerId));
  const { usage } = usePartnerDays(partnerId, data.timezone, data.status !== 'deleted');
  const clients = useQuery(partnerClientsQuery(partnerId));
  const users = useQuery(partnerUsersQuery(partnerId));
  return (
    <>
      <Figures
        items={[
          { label: 'Clients', value: formatNumber(data.counts.clients) },
          { label: 'Agents', value: formatNumber(data.counts.agents) },
          {
            label: 'Runs in 7 days',
            value: formatNumber(data.runs7d),
            note: data.failures7d ? <span className="text-bad">{formatNumber(data.failures7d)} failed</span> : 'none failed',
          },
          { label: 'Credits used', value: wholePercent(data.usagePercent), unit: '%', note: 'of this month' },
          { label: 'Seats taken', value: formatNumber(data.counts.seatsUsed) },
        ]}
      />
      <div className="grid items-start gap-6 rail:grid-cols-[minmax(0,1fr)_320px]">
        <div className="min-w-0">
          {data.status === 'deleted' ? null : <PartnerDays partnerId={partnerId} timezone={data.timezone} />}
          <div className={waitsFor(usage) ? 'invisible' : undefined}>
            <Clients partnerId={partnerId} total={data.counts.clients} />
          </div>
          <div className={waitsFor(usage, clients) ? 'invisible' : undefined}>
            <People partnerId={partnerId} />
          </div>
        </div>
        <div className={`grid gap-4 ${waitsFor(usage, clients, users) ? 'max-rail:invisible' : ''}`}>
          <FirstSteps partnerId={partnerId} />
          <Account partner={data} />
          {data.ssoEnforced ? <SsoRelease partner={data} /> : null}
          {data.status === 'deleted' ? null : <Notes partner={data} />}
        </div>
      </div>
    </>
  );
}

/** Whether a part of the page is not yet known: what stands below it is not shown, since it would move. */
function waitsFor(...parts: readonly { isLoading: boolean }[]): boolean {
  return parts.some(({ isLoading }) => isLoading);
}

/** The agency's setup progress and its next step. */
function FirstSteps({ partnerId }: { partnerId: string }) {
  const { data } = useQuery(partnersOnboardingQuery([partnerId]));
  const progress = data?.[0];
  return (
    <Panel title="First steps" aside={progress ? `${progress.done} of ${progress.total}` : undefined}>
      <p className="text-ink-2">
        {progress === undefined
          ? '\u00a0'
          : progress.done === progress.total
            ? 'The agency has done all of them.'
            : progress.nextTitle === null
              ? 'The agency has hidden the rest.'
              : `Next: ${progress.nextTitle}.`}
      </p>
    </Panel>
  );
}

/** Columns that fit next to the account panel. */
const SHORT_COLUMNS = CLIENT_COLUMNS.filter(({ key }) => key !== 'agents' && key !== 'runs');

/** The first few clients; the tab shows all. */
function Clients({ partnerId, total }: { partnerId: string; total: number }) {
  const clients = useQuery(partnerClientsQuery(partnerId));
  const navigate = useNavigate();
  const rows = clients.data?.data;
  const open = (client: string): void =>
    void navigate({ to: '/admin/partners/$partnerId/clients', params: { partnerId }, search: { client } });
  return (
    <Section
      title="Clients"
      note={formatNumber(total)}
      aside={
        rows && total > rows.length ? (
          <Link className="link" to="/admin/partners/$partnerId/clients" params={{ partnerId }}>
            All {formatNumber(total)} clients
          </Link>
        ) : undefined
      }
    >
      <Loaded query={clients} skeleton={<SkeletonRows rows={3} height={34} label="Loading clients" />}>
        {({ data }) =>
          data.length === 0 ? (
            <EmptyState title="No clients yet">Clients appear here once the agency adds them on its Clients page.</EmptyState>
          ) : (
            <Table label="Clients" columns={SHORT_COLUMNS} rows={data} rowKey={(row) => row.id} onOpen={(row) => open(row.id)} dense />
          )
        }
      </Loaded>
    </Section>
  );
}

const USER_COLUMNS: Column<User>[] = [
  {
    key: 'name',
    head: 'Name',
    lead: true,
    cell: (row) => (
      <PersonCell name={row.fullName || row.email} url={row.avatarUrl}>
        <span className="font-medium">{row.fullName || row.email}</span>{' '}
        {row.fullName ? <span className="text-ink-3 max-md:block">{row.email}</span> : null}
        <span className="table-second-line table-phone-line">{roleOf(row)}</span>
      </PersonCell>
    ),
  },
  {
    key: 'role',
    head: 'Role',
    hide: 'phone',
    cell: (row) => <span className="text-ink-2">{roleOf(row)}</span>,
  },
  { key: 'mfa', head: 'MFA', hide: 'phone', cell: (row) => <span className="text-ink-2">{row.mfaEnabled ? 'On' : 'Off'}</span> },
  {
    key: 'status',
    head: 'State',
    hide: 'phone',
    cell: (row) => (row.status === 'active' ? <span className="text-ink-2">Active</span> : <span className="text-warn">Disabled</span>),
  },
  { key: 'seen', head: 'Last login', align: 'end', cell: (row) => <Time iso={row.lastLoginAt} className="text-ink-2" /> },
];

function roleOf({ role, partnerRole }: User): string {
  return role === 'CLIENT' ? 'Client user' : partnerRole === 'admin' ? 'Admin' : 'Moderator';
}

function People({ partnerId }: { partnerId: string }) {
  const users = useQuery(partnerUsersQuery(partnerId));
  return (
    <Section title="People" note={users.data?.data.length}>
      {users.error ? <ErrorBlock error={users.error} onRetry={() => void users.refetch()} /> : null}
      {users.data?.data.length === 0 ? (
        <EmptyState title="No users yet">The owner appears here after accepting the invitation.</EmptyState>
      ) : null}
      {users.data && users.data.data.length > 0 ? (
        <Table label="People" columns={USER_COLUMNS} rows={users.data.data} rowKey={(row) => row.id} dense />
      ) : null}
    </Section>
  );
}

function Account({ partner }: { partner: Partner }) {
  const [isSuspending, setSuspending] = useState(false);
  const [isResuming, setResuming] = useState(false);
  const [reason, setReason] = useState('');
  const suspend = useMutation({
    mutationFn: () => api.suspendPartner({ params: { id: partner.id }, body: { reason: reason.trim() } }),
    onSuccess: () => {
      setSuspending(false);
      announce(`${partner.name} is suspended.`);
      void refreshAfter('partnersChanged');
    },
    onError: (error) => announceError(error),
  });
  const resume = useMutation({
    mutationFn: () => api.resumePartner({ params: { id: partner.id } }),
    onSuccess: () => {
      setResuming(false);
      announce(`${partner.name} is active again.`);
      void refreshAfter('partnersChanged');
    },
    onError: (error) => announceError(error),
  });
  // Without those that have stopped already, such as of archived clients.
  const { data: running } = useQuery({
    ...deletionPreviewQuery({ scope: 'partner', partnerId: partner.id }),
    enabled: isSuspending,
    staleTime: 0,
  });
  return (
    <Panel title="Account">
      <KeyValues
        rows={[
          ['State', <AccountState key="a" status={partner.status} />],
          ['Plan', partner.planName ?? '–'],
          partner.trialEndsAt ? ['Trial ends', <Time key="t" iso={partner.trialEndsAt} />] : undefined,
          ['Slug', <code key="s">{partner.slug}</code>],
          ['Support', partner.supportEmail ?? '–'],
          ['Time zone', partner.timezone],
          partner.suspensionReason ? ['Reason', partner.suspensionReason] : undefined,
        ]}
      />
      {partner.status === 'active' ? (
        <Button kind="danger-text" size="sm" className="mt-3" onClick={() => setSuspending(true)}>
          Suspend partner
        </Button>
      ) : null}
      {partner.status === 'suspended' ? (
        <Button size="sm" className="mt-3" onClick={() => setResuming(true)}>
          Resume partner
        </Button>
      ) : null}
      {isResuming ? (
        <ResumeDialog
          partnerId={partner.id}
          title={`Resume ${partner.name}?`}
          action="Resume"
          busy={resume.isPending && 'Resuming'}
          onConfirm={() => resume.mutate()}
          onClose={() => setResuming(false)}
        />
      ) : null}
      <ConfirmDialog
        open={isSuspending}
        onClose={() => setSuspending(false)}
        title={`Suspend ${partner.name}?`}
        typed={partner.slug}
        action="Suspend"
        busy={suspend.isPending && 'Suspending'}
        onConfirm={() => {
          if (reason.trim()) suspend.mutate();
        }}
      >
        <p className="mb-3">
          {running ? (
            <>
              <b>{plural(running.runningAgents, 'agent')}</b> of <b>{plural(running.runningClients, 'client')}</b>{' '}
              {running.runningAgents === 1 ? 'stops' : 'stop'}
            </>
          ) : (
            'Its agents stop'
          )}{' '}
          taking events, and its users can only log in to request reactivation. Nothing is deleted.
        </p>
        <Field label="Reason" note="required, shown to the agency">
          {(ids) => <TextArea {...ids} required maxLength={500} value={reason} onChange={(event) => setReason(event.target.value)} />}
        </Field>
      </ConfirmDialog>
    </Panel>
  );
}

function AccountState({ status }: Pick<Partner, 'status'>) {
  if (status === 'active') return 'Active';
  return status === 'deleted' ? <span className="text-ink-3">Deleted</span> : <span className="text-warn">Suspended</span>;
}

function Notes({ partner }: { partner: Partner }) {
  const form = useForm({
    saved: { text: partner.internalNotes ?? '' },
    send: ({ text }) =>
      formApi.updatePartner({
        params: { id: partner.id },
        body: { internalNotes: text.trim() || null },
        headers: { 'if-match': `"${partner.updatedAt}"` },
      }),
    onSaved: (record) => {
      queryClient.setQueryData(partnerQuery(partner.id).queryKey, record);
      announce('Notes saved.');
    },
    fieldNames: { internalNotes: 'text' },
  });
  return (
    <Panel title="Notes" aside="staff only">
      <Form form={form} className="grid justify-items-start gap-2" onReload={() => void refreshAfter('partnersChanged')}>
        <TextArea
          data-field="text"
          aria-label="Internal notes"
          maxLength={4000}
          value={form.values.text}
          onChange={(event) => form.set({ text: event.target.value })}
        />
        {form.isChanged ? (
          <Button kind="primary" size="sm" type="submit" busy={form.isBusy && 'Saving'}>
            Save notes
          </Button>
        ) : null}
      </Form>
    </Panel>
  );
}
