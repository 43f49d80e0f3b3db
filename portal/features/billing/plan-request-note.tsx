import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { api } from '../../app/api.ts';
import { keepFocus } from '../../app/announce-page.ts';
import { useRefusal } from '../../app/current-user.ts';
import { lastRequestQuery, type PlanRequest } from '../../queries/plans.ts';
import { refreshAfter } from '../../queries/refresh.ts';
import { announceError } from '../../shared/announce-error.ts';
import { FEATURE_NAMES, PLAN_FEATURES } from '../../shared/plan-labels.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Note } from '../../ui/feedback/note.tsx';
import { announce } from '../../ui/feedback/toast.tsx';
import { formatDay, formatNumber, joinWords, plural } from '../../ui/text/format.ts';

/** The request that was just sent. Its form, which had the focus, is gone; the note takes it. */
let sent: string | undefined;

/** Has the note of a request that was just sent take the focus, on the page that follows its form. */
export function focusNoteOf(request: PlanRequest): void {
  sent = request.id;
}

/** The latest plan request: pending with a cancel button, or why it was not accepted. */
export function PlanRequestNote({ followsForm = false }: { followsForm?: boolean }) {
  const { data } = useQuery(lastRequestQuery);
  const part = useRef<HTMLDivElement>(null);
  const id = data?.status === 'pending' ? data.id : undefined;
  useEffect(() => {
    if (!followsForm || id === undefined || id !== sent) return;
    sent = undefined;
    part.current?.focus();
  }, [followsForm, id]);
  const shown = useRef(id);
  useEffect(() => {
    // The button that cancelled it had the focus.
    if (shown.current !== undefined && id === undefined) keepFocus();
    shown.current = id;
  }, [id]);
  if (data?.status === 'pending')
    return (
      <div ref={part} tabIndex={-1} className="mb-5 rounded-md">
        <Pending request={data} />
      </div>
    );
  if (data?.status !== 'rejected') return null;
  return (
    <div className="mb-5">
      <Note tone="warn">
        <b>Your request of {formatDay(data.createdAt)} was not accepted.</b> {data.decisionNote}
      </Note>
    </div>
  );
}

function Pending({ request }: { request: PlanRequest }) {
  // Requests for a plan work while the account is suspended.
  const refusal = useRefusal('account.manage');
  const cancel = useMutation({
    mutationFn: () => api.cancelPlanRequest({ params: { id: request.id } }),
    onSuccess: () => announce('Request cancelled.'),
    onError: (error) => announceError(error),
    onSettled: () => void refreshAfter('planRequestSent'),
  });
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
      {request.desired.message ? <p className="whitespace-pre-wrap text-ink-2">{request.desired.message}</p> : null}
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
