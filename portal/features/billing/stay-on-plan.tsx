import { useMutation, useQuery } from '@tanstack/react-query';
import { api } from '../../app/api.ts';
import { plansQuery } from '../../queries/plans.ts';
import type { Billing } from '../../queries/billing.ts';
import { refreshAfter } from '../../queries/refresh.ts';
import { announceError } from '../../shared/announce-error.ts';
import { Button } from '../../ui/controls/button.tsx';
import { announce } from '../../ui/feedback/toast.tsx';
import { focusNoteOf } from './plan-request-note.tsx';
import { useRequestRefusal } from './request-refusal.ts';

/** Requests the present plan while another one is scheduled, which its approval withdraws. */
export function StayOnPlan({ subscription: { planId, planName } }: Pick<Billing, 'subscription'>) {
  const refusal = useRequestRefusal();
  const plans = useQuery(plansQuery);
  // A plan that is not public is asked for in words.
  const isPublic = plans.data?.some(({ id }) => id === planId) === true;
  const stay = useMutation({
    mutationFn: () =>
      api.createPlanRequest({
        body: { kind: isPublic ? 'change' : 'custom', ...(isPublic ? { planId } : {}), message: `We want to stay on ${planName}.` },
      }),
    onSuccess: (request) => {
      focusNoteOf(request);
      announce('Request sent.');
    },
    onError: (error) => announceError(error),
    onSettled: () => void refreshAfter('planRequestSent'),
  });
  return (
    <Button size="sm" disabledReason={refusal} busy={(stay.isPending || plans.isPending) && 'Sending'} onClick={() => stay.mutate()}>
      Stay on {planName}
    </Button>
  );
}
