import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Check } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { formApi } from '../../app/api.ts';
import { formatMoment, formatNumber } from '../../ui/text/format.ts';
import { useKeys } from '../../ui/keyboard/key-bindings.ts';
import { useRefusal } from '../../app/current-user.ts';
import { FEATURE_NAMES, PLAN_FEATURES } from '../../shared/plan-labels.ts';
import type { PlanRequest } from '../../queries/plans.ts';
import type { WorkItem } from '../../queries/work-queue.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Kbd } from '../../ui/layout/layout.tsx';
import { NoteDialog } from '../../shared/note-dialog.tsx';
import { Loaded } from '../../shared/loaded.tsx';
import { Note } from '../../ui/feedback/note.tsx';
import { SkeletonRows } from '../../ui/feedback/skeleton.tsx';
import { announce } from '../../ui/feedback/toast.tsx';
import { type Approved, ApproveDialog } from './approve-dialog.tsx';
import { ActionRow } from './owner.tsx';
import { askingPartnerQuery, planRequestQuery } from './queries.ts';
import { refreshAfter } from '../../queries/refresh.ts';

/** An application or a plan request: A approves, R rejects. */
export function PlanRequestPane({ item, onApproved }: { item: WorkItem; onApproved: (answer: Approved) => void }) {
  const request = useQuery(planRequestQuery(item.itemId));
  return (
    <Loaded query={request} skeleton={<SkeletonRows rows={5} height={34} label="Loading the request" />}>
      {(data) => <Decide item={item} request={data} onApproved={onApproved} />}
    </Loaded>
  );
}

type DecideProps = { item: WorkItem; request: PlanRequest; onApproved: (answer: Approved) => void };

function Decide({ item, request, onApproved }: DecideProps) {
  const [confirming, setConfirming] = useState<'approve' | 'reject'>();
  const refusal = useRefusal('partners.manage');
  const isPending = request.status === 'pending';
  const ask = (act: 'approve' | 'reject') => (): void => {
    if (!refusal && isPending) setConfirming(act);
  };
  useKeys([
    { keys: 'a', label: 'Approve', group: 'This page', run: ask('approve') },
    { keys: 'r', label: 'Reject', group: 'This page', run: ask('reject') },
  ]);
  return (
    <>
      <ActionRow item={item}>
        {isPending ? (
          <>
            <Button kind="primary" icon={<Check aria-hidden />} disabledReason={refusal} onClick={ask('approve')}>
              Approve <Kbd>A</Kbd>
            </Button>
            <Button disabledReason={refusal} onClick={ask('reject')}>
              Reject with a note <Kbd>R</Kbd>
            </Button>
          </>
        ) : null}
      </ActionRow>
      {isPending ? null : (
        <Note tone="warn">
          <b>Someone else has already decided this.</b> It is {request.status}.
        </Note>
      )}
      <Facts request={request} />
      {confirming === 'approve' ? (
        <ApproveDialog
          request={request}
          onClose={() => setConfirming(undefined)}
          onApproved={(answer) => {
            setConfirming(undefined);
            onApproved(answer);
            refreshDecided();
          }}
        />
      ) : null}
      <NoteDialog
        open={confirming === 'reject'}
        title={`Reject ${request.applicant.companyName}?`}
        action="Reject"
        busy="Rejecting"
        required
        danger
        rows={4}
        send={(note) => formApi.rejectPlanRequest({ params: { id: request.id }, body: { note } })}
        onSaved={() => {
          setConfirming(undefined);
          announce(`Rejected. ${request.applicant.companyName} gets an e-mail.`);
          refreshDecided();
        }}
        onClose={() => setConfirming(undefined)}
      >
        {request.applicant.fullName} gets your note by e-mail. Explain why, and what would help.
      </NoteDialog>
    </>
  );
}

const KIND_LABELS: Record<PlanRequest['kind'], string> = {
  signup: 'a plan',
  trial: 'a trial',
  change: 'another plan',
  custom: 'custom terms',
};

function Facts({ request }: { request: PlanRequest }) {
  const { applicant, desired, partnerId } = request;
  const partner = useQuery(askingPartnerQuery(partnerId)).data;
  const requestedFeatures = (desired.features ?? [])
    .map((name) => FEATURE_NAMES.find((one) => one === name))
    .filter((name) => name !== undefined);
  const rows: readonly (readonly [string, ReactNode] | undefined)[] = [
    ['Agency', partnerId ? <PartnerLink key="p" id={partnerId} name={applicant.companyName} /> : applicant.companyName],
    ['Requested by', applicant.fullName],
    ['E-mail', applicant.email],
    applicant.website ? ['Website', applicant.website] : undefined,
    applicant.country ? ['Country', applicant.country] : undefined,
    partner ? ['Current plan', partner.planName ?? 'no plan'] : undefined,
    ['Requests', KIND_LABELS[request.kind]],
    request.kind === 'trial' ? undefined : ['Plan', request.planName ?? <span className="text-ink-3">none named</span>],
    desired.clients === undefined ? undefined : ['Clients', formatNumber(desired.clients)],
    desired.seats === undefined ? undefined : ['Seats', formatNumber(desired.seats)],
    desired.credits === undefined ? undefined : ['Credits per month', formatNumber(desired.credits)],
    requestedFeatures.length > 0 ? ['Features', requestedFeatures.map((name) => PLAN_FEATURES[name]).join(', ')] : undefined,
    desired.newsletter ? ['Newsletter', 'yes'] : undefined,
    ['Sent', formatMoment(request.createdAt)],
  ];
  return (
    <>
      <h3 className="border-b border-line pb-2 text-sm">{partnerId ? 'Request' : 'Application'}</h3>
      <dl className="tabular-nums mb-5 grid grid-cols-[max-content_minmax(0,1fr)] gap-x-6 py-2 leading-[30px]">
        {rows.map((row) =>
          row ? (
            <div key={row[0]} className="contents">
              <dt className="text-ink-3">{row[0]}</dt>
              <dd className="break-words">{row[1]}</dd>
            </div>
          ) : null,
        )}
      </dl>
      {desired.message ? (
        <>
          <h3 className="mb-2 text-sm">Message</h3>
          <blockquote className="max-w-[560px] border-l-2 border-line py-0.5 pl-3.5 text-base break-words whitespace-pre-wrap text-ink-2 text-pretty">
            {desired.message}
          </blockquote>
        </>
      ) : null}
    </>
  );
}

function PartnerLink({ id, name }: { id: string; name: string }) {
  return (
    <Link to="/admin/partners/$partnerId" params={{ partnerId: id }} className="link">
      {name}
    </Link>
  );
}

/** Invalidates the queue, the request, partners and plans. */
function refreshDecided(): void {
  void refreshAfter('planRequestDecided');
}
