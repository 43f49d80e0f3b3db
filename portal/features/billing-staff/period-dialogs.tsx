import { useMutation } from '@tanstack/react-query';
import { api, formApi } from '../../app/api.ts';
import type { Subscription } from '../../queries/billing.ts';
import { refreshAfter } from '../../queries/refresh.ts';
import { announceError } from '../../shared/announce-error.ts';
import { billingDay } from '../../shared/billing-labels.ts';
import { Form } from '../../shared/forms/form.tsx';
import { useForm } from '../../shared/forms/use-form.ts';
import { Button } from '../../ui/controls/button.tsx';
import { announce } from '../../ui/feedback/toast.tsx';
import { TextField } from '../../ui/forms/field.tsx';
import { ConfirmDialog, Dialog, DialogActions } from '../../ui/overlays/dialog.tsx';
import { todayUtc } from './paid-at.ts';

type Props = { subscription: Subscription; onClose: () => void };

/** Moves the end of the period; later periods are months from there. */
export function PeriodEndDialog({ subscription, onClose }: Props) {
  const tomorrow = todayUtc(new Date(Date.now() + 86_400_000));
  const form = useForm({
    saved: { end: subscription.currentPeriodEnd.slice(0, 10) },
    send: ({ end }) =>
      formApi.updateSubscription({
        params: { partnerId: subscription.partnerId },
        body: { currentPeriodEnd: `${end}T00:00:00.000Z` },
      }),
    onSaved: ({ currentPeriodEnd }) => {
      announce(`The period ends on ${billingDay(currentPeriodEnd)}.`);
      onClose();
      void refreshAfter('billingChanged');
    },
    fieldNames: { currentPeriodEnd: 'end' },
  });
  return (
    <Dialog open onClose={onClose} title="Move the end of the period">
      <Form form={form} className="grid gap-4">
        <p className="text-ink-2">
          The period began on {billingDay(subscription.currentPeriodStart)}. Credits reset and the next invoice is drafted when it ends;
          later periods are a month each from that day.
        </p>
        <TextField label="Ends on" note="UTC" type="date" required min={tomorrow} {...form.input('end')} />
        <DialogActions>
          <Button onClick={onClose}>Back</Button>
          <Button kind="primary" type="submit" inactive={!form.isChanged} busy={form.isBusy && 'Moving'}>
            Move the end
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}

/** Cancels the subscription at the end of the period. */
export function CancelDialog({ subscription, onClose }: Props) {
  const cancel = useMutation({
    mutationFn: () => api.updateSubscription({ params: { partnerId: subscription.partnerId }, body: { status: 'cancelled' } }),
    onSuccess: () => {
      announce(`The subscription ends on ${billingDay(subscription.currentPeriodEnd)}.`);
      onClose();
      void refreshAfter('billingChanged');
    },
    onError: (error) => announceError(error),
  });
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title="Cancel at the end of the period?"
      action="Cancel subscription"
      busy={cancel.isPending && 'Cancelling'}
      onConfirm={() => cancel.mutate()}
    >
      The agency keeps everything until <b>{billingDay(subscription.currentPeriodEnd)}</b>. After that it is not charged and its agents
      accept no events. You can undo this until then.
    </ConfirmDialog>
  );
}
