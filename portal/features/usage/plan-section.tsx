import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useLoaded } from '../../app/route-data.ts';
import { ownPartnerQuery } from '../../queries/agency.ts';
import { api } from '../../app/api.ts';
import { formatDay, formatNumber, joinWords, plural } from '../../ui/text/format.ts';
import { useRefusal } from '../../app/current-user.ts';
import { FEATURE_NAMES, limitsOf, PLAN_FEATURES, priceOf } from '../../shared/plan-labels.ts';
import { type PlanRequest, plansQuery } from '../../queries/plans.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Section } from '../../ui/layout/layout.tsx';
import { Note } from '../../ui/feedback/note.tsx';
import { announce } from '../../ui/feedback/toast.tsx';
import { announceError } from '../../shared/announce-error.ts';
import { lastRequestQuery } from './queries.ts';
import { RequestPlanDialog } from './request-plan.tsx';
import { refreshAfter } from '../../queries/refresh.ts';

/** The partner's plan and its latest plan request. */
export function PlanSection() {
  const partner = useLoaded(ownPartnerQuery);
  const plans = useLoaded(plansQuery);
  const last = useLoaded(lastRequestQuery);
  const refusal = useRefusal('agency.manage');
  const [isAsking, setAsking] = useState(false);
  const isPending = last?.status === 'pending';
  const plan = plans.find((one) => one.id === partner.planId);
  return (
    <Section
      title="Plan"
      aside={
        isPending ? undefined : (
          <Button size="sm" disabledReason={refusal} onClick={() => setAsking(true)}>
            Request a plan
          </Button>
        )
      }
    >
      <p className="tabular-nums py-2">
        <b>{plan?.name ?? 'Custom terms'}</b>
        {plan ? (
          <span className="text-ink-2">
            {' '}
            {priceOf(plan)} a month, with {limitsOf(plan)}
          </span>
        ) : null}
        {partner.trialEndsAt ? <span className="text-ink-3">. The trial ends {formatDay(partner.trialEndsAt)}</span> : null}
      </p>
      {last ? <LastRequest request={last} refusal={refusal} /> : null}
      {isAsking ? <RequestPlanDialog current={partner.planId ?? undefined} onClose={() => setAsking(false)} /> : null}
    </Section>
  );
}

/** The latest plan request: pending with a cancel button, or its decision. */
function LastRequest({ request, refusal }: { request: PlanRequest; refusal: string | undefined }) {
  const cancel = useMutation({
    mutationFn: () => api.cancelPlanRequest({ params: { id: request.id } }),
    onSuccess: () => announce('Request cancelled.'),
    onError: (error) => announceError(error),
    onSettled: () => void refreshAfter('planRequestSent'),
  });
  if (request.status === 'rejected')
    return (
      <Note tone="warn">
        <b>Your request of {formatDay(request.createdAt)} was not accepted.</b> {request.decisionNote}
      </Note>
    );
  if (request.status !== 'pending') return null;
  return (
    <Note
      tone="live"
      action={
        <Button size="sm" disabledReason={refusal} busy={cancel.isPending && 'Cancelling'} onClick={() => cancel.mutate()}>
          Cancel request
        </Button>
      }
    >
      <p>
        <b>You asked for {requestedPlan(request)}</b> on {formatDay(request.createdAt)}. We confirm plans by hand, usually within one
        working day.
      </p>
      {request.desired.message ? <p className="break-words whitespace-pre-wrap text-ink-2">{request.desired.message}</p> : null}
    </Note>
  );
}

function requestedPlan({ planName, desired }: PlanRequest): string {
  const features = FEATURE_NAMES.filter((name) => desired.features?.includes(name)).map((name) => PLAN_FEATURES[name].toLowerCase());
  const counts = [
    desired.clients === undefined ? '' : plural(desired.clients, 'client'),
    desired.seats === undefined ? '' : plural(desired.seats, 'seat'),
    desired.credits === undefined ? '' : `${formatNumber(desired.credits)} credits per month`,
  ];
  return joinWords([planName ?? '', ...counts, ...features].filter(Boolean)) || 'other terms';
}
