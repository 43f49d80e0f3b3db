import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { formApi } from '../../app/api.ts';
import { formatToMinute, formatNumber } from '../../ui/text/format.ts';
import { FEATURE_NAMES, PLAN_FEATURES } from '../../shared/plan-labels.ts';
import type { PlanRequest } from '../../queries/plans.ts';
import { askingPartnerQuery, type WorkItem } from '../../queries/work-queue.ts';
import { NoteDialog } from '../../shared/note-dialog.tsx';
import { useMailed } from '../../shared/mailed.ts';
import { yourself } from '../../shared/without-mail.ts';
import { Loaded } from '../../shared/loaded.tsx';
import { SkeletonRows } from '../../ui/feedback/skeleton.tsx';
import { announce } from '../../ui/feedback/toast.tsx';
import { type Approved, ApproveDialog } from './approve-dialog.tsx';
import { WaitingConfirmation } from './waiting-confirmation.tsx';
import { DecisionActions, Fact, FactList, QuotedText, useDecision } from './decision.tsx';
import { planRequestQuery } from './queries.ts';
import { refreshAfter } from '../../queries/refresh.ts';

type PaneProps = { item: WorkItem; isChosen: boolean; onApproved: (answer: Approved) => void };

/** An application or a plan request: A approves, R rejects. */
export function PlanRequestPane({ item, isChosen, onApproved }: PaneProps) {
  const request = useQuery(planRequestQuery(item.itemId));
  // The agency's details are loaded in parallel with the request.
  useQuery(askingPartnerQuery(item.partnerId));
  return (
    <Loaded query={request} skeleton={<SkeletonRows rows={5} height={34} label="Loading the request" />}>
      {(data) => (
        <>
          <Decide item={item} request={data} onApproved={onApproved} />
          <WaitingConfirmation request={data} isChosen={isChosen} />
        </>
      )}
    </Loaded>
  );
}

type DecideProps = { item: WorkItem; request: PlanRequest; onApproved: (answer: Approved) => void };

function Decide({ item, request, onApproved }: DecideProps) {
  const isPending = request.status === 'pending';
  const decision = useDecision(isPending);
  const { confirming, close, saved } = decision;
  const mailed = useMailed();
  return (
    <>
      <DecisionActions item={item} isPending={isPending} decision={decision} outcome={`It is ${request.status}.`} />
      <Facts request={request} />
      {confirming === 'approve' ? (
        <ApproveDialog
          request={request}
          onClose={close}
          onApproved={(answer) => {
            saved();
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
          saved();
          announce(
            `The request of ${request.applicant.companyName} is rejected. ${mailed(`${request.applicant.companyName} gets an e-mail.`, yourself('pass your note on'))}`,
          );
          refreshDecided();
        }}
        onClose={close}
      >
        {mailed(`${request.applicant.fullName} gets your note by e-mail.`, yourself('pass your note on'))} Explain why, and what would help.
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
    request.nameResembles === null ? undefined : ['Name', <NameWarning key="n" resembles={request.nameResembles} />],
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
    ['Sent', formatToMinute(request.createdAt)],
  ];
  return (
    <>
      <FactList heading={partnerId ? 'Request' : 'Application'}>
        {rows.map((row) =>
          row ? (
            <Fact key={row[0]} label={row[0]}>
              {row[1]}
            </Fact>
          ) : null,
        )}
      </FactList>
      {desired.message ? <QuotedText heading="Message">{desired.message}</QuotedText> : null}
    </>
  );
}

function NameWarning({ resembles }: { resembles: string }) {
  return <span className="text-warn">Resembles {resembles}. Approving the application approves the name.</span>;
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
