import { lineAmount } from '@partner-portal/core/billing/money.ts';
import { formApi } from '../../app/api.ts';
import type { Billing } from '../../queries/billing.ts';
import { amountOf, billingDay, nextPlanOf } from '../../shared/billing-labels.ts';
import { Form } from '../../shared/forms/form.tsx';
import { useForm } from '../../shared/forms/use-form.ts';
import { Button } from '../../ui/controls/button.tsx';
import { announce } from '../../ui/feedback/toast.tsx';
import { TextField } from '../../ui/forms/field.tsx';
import { Dialog, DialogActions } from '../../ui/overlays/dialog.tsx';
import { formatNumber, plural } from '../../ui/text/format.ts';
import { Charges } from './charges.tsx';
import { countOf, refreshPurchases } from './purchase.ts';

/** Sets how many purchased seats end with the period. */
export function ReleaseSeatsDialog({ billing, onClose }: { billing: Billing; onClose: () => void }) {
  const { subscription, seats } = billing;
  const { terms, purchasedSeats, pendingSeatsIncluded } = subscription;
  // What the next period has: a plan that waits begins with it, and included seats are not billed.
  const { currency, seatPriceMinor, includedSeats } = nextPlanOf(subscription)?.terms ?? terms;
  const most = releasable(billing);
  const next = billingDay(subscription.currentPeriodEnd);
  const form = useForm({
    saved: { quantity: String(Math.min(most, subscription.pendingSeatRelease || 1)) },
    send: ({ quantity }) => formApi.releaseSeats({ body: { quantity: Number(quantity) } }),
    onSaved: ({ pendingSeatRelease }) => {
      onClose();
      announce(`${plural(pendingSeatRelease, 'seat ends', 'seats end')} on ${next}.`);
      refreshPurchases();
    },
    fieldOfCode: { seat_limit_reached: 'quantity' },
  });
  const quantity = countOf(form.values.quantity, most);
  const total = seats.included + seats.purchased;
  const nextTotal = total + includedSeats - terms.includedSeats - pendingSeatsIncluded;
  return (
    <Dialog open onClose={onClose} title="Release seats">
      <Form form={form} className="grid gap-4">
        <p className="text-ink-2">
          You keep released seats until {next}, then stop paying for them. No refunds. You can change this until then.
        </p>
        <TextField
          label="Seats to release"
          note={`${formatNumber(most)} at most`}
          hint={most < purchasedSeats - pendingSeatsIncluded ? 'The other seats you bought are in use.' : undefined}
          type="number"
          inputMode="numeric"
          required
          min={1}
          max={most}
          step={1}
          {...form.input('quantity')}
        />
        <Charges
          rows={[
            {
              name: `From ${next}`,
              value: quantity === null ? '–' : `${amountOf(lineAmount(quantity, seatPriceMinor), currency)} less a month`,
              isMain: true,
            },
            { name: 'Seats then', value: `${formatNumber(total)} → ${quantity === null ? '–' : formatNumber(nextTotal - quantity)}` },
          ]}
        />
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" inactive={quantity === null} busy={form.isBusy && 'Releasing'}>
            {quantity === null ? 'Release seats' : `Release ${plural(quantity, 'seat')}`}
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}

/** Returns how many purchased seats are free to be released: those that the next period would bill and does not need. */
export function releasable({ seats, subscription }: Pick<Billing, 'seats' | 'subscription'>): number {
  const { terms, pendingSeatsIncluded } = subscription;
  const included = seats.included + (nextPlanOf(subscription)?.terms ?? terms).includedSeats - terms.includedSeats;
  const needed = Math.max(0, seats.used - included);
  return Math.max(0, Math.min(seats.purchased - pendingSeatsIncluded - needed, seats.free));
}
