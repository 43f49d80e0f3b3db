import { lineAmount } from '@partner-portal/core/billing/money.ts';
import { quoteSeats } from '@partner-portal/core/billing/purchase.ts';
import { LIMITS } from '@partner-portal/contract/vocabulary.ts';
import { formApi } from '../../app/api.ts';
import type { Billing } from '../../queries/billing.ts';
import { amountOf, billingDay, nextPlanOf, rateText } from '../../shared/billing-labels.ts';
import { Form } from '../../shared/forms/form.tsx';
import { useForm } from '../../shared/forms/use-form.ts';
import { Button } from '../../ui/controls/button.tsx';
import { announce } from '../../ui/feedback/toast.tsx';
import { TextField } from '../../ui/forms/field.tsx';
import { Dialog, DialogActions } from '../../ui/overlays/dialog.tsx';
import { formatNumber, plural } from '../../ui/text/format.ts';
import { Charges } from './charges.tsx';
import { countOf, refreshPurchases, usePurchaseKey } from './purchase.ts';

/** Buys seats; shows before what they cost for the rest of the period and from the next one on. */
export function BuySeatsDialog({ billing, onClose }: { billing: Billing; onClose: () => void }) {
  const { subscription, seats, tax } = billing;
  const { currency, seatPriceMinor } = subscription.terms;
  const form = useForm({
    saved: { quantity: '1' },
    send: ({ quantity }) => formApi.buySeats({ body: { quantity: Number(quantity), unitPriceMinor: seatPriceMinor }, headers: key }),
    onSaved: (order) => {
      onClose();
      announce(`${plural(order.quantity, 'seat')} bought. Invite people in Settings, Team.`);
      refreshPurchases();
    },
    // The price may have changed.
    onRefused: refreshPurchases,
  });
  const key = usePurchaseKey(`seats/${form.values.quantity}`);
  const quantity = countOf(form.values.quantity, LIMITS.seatsPerOrderMax);
  const period = { start: new Date(subscription.currentPeriodStart), end: new Date(subscription.currentPeriodEnd) };
  const quote = quoteSeats(quantity ?? 1, seatPriceMinor, period, new Date());
  const next = billingDay(subscription.currentPeriodEnd);
  const total = seats.included + seats.purchased;
  return (
    <Dialog open onClose={onClose} title="Buy seats">
      <Form form={form} className="grid gap-4">
        <p className="text-ink-2">A seat is for one more team member. You can use new seats at once.</p>
        <TextField
          label="Seats"
          type="number"
          inputMode="numeric"
          required
          min={1}
          max={LIMITS.seatsPerOrderMax}
          step={1}
          {...form.input('quantity')}
        />
        <Charges
          rows={[
            { name: 'Price of a seat', value: `${amountOf(seatPriceMinor, currency)} a month` },
            {
              name: `Until ${next}, ${quote.share.days} of ${plural(quote.share.of, 'day')}`,
              value: quantity === null ? '–' : amountOf(quote.dueNowMinor, currency),
              isMain: true,
            },
            { name: `From ${next}`, value: quantity === null ? '–' : fromNextPeriod(subscription, quantity) },
            {
              name: 'Free seats',
              value: `${formatNumber(seats.free)} → ${quantity === null ? '–' : formatNumber(seats.free + quantity)}`,
            },
            { name: 'Seats', value: `${formatNumber(total)} → ${quantity === null ? '–' : formatNumber(total + quantity)}` },
          ]}
          note={`You pay nothing today: ${subscription.cancelAt === null ? 'both go' : 'this goes'} on your invoice of ${next}${taxText(tax.rateBasisPoints)}.`}
        />
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" inactive={quantity === null} busy={form.isBusy && 'Buying'}>
            {quantity === null ? 'Buy seats' : `Buy ${plural(quantity, 'seat')} for ${amountOf(quote.dueNowMinor, currency)}`}
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}

/** What more seats cost from the next period on: a plan that waits begins with it and may include them, and a cancelled subscription ends. */
function fromNextPeriod(subscription: Billing['subscription'], quantity: number) {
  const { terms, cancelAt, purchasedSeats } = subscription;
  const next = nextPlanOf(subscription);
  if (cancelAt !== null) return 'Nothing: they end with your subscription';
  const after = next?.terms ?? terms;
  // Included seats that those bought before leave.
  const left = Math.max(0, after.includedSeats - terms.includedSeats - purchasedSeats);
  const billed = Math.max(0, quantity - left);
  if (billed === 0) return `Included in ${next?.planName ?? 'your plan'}`;
  return `${amountOf(lineAmount(billed, after.seatPriceMinor), after.currency)} more a month`;
}

/** ", plus 19% tax"; nothing without tax. */
export function taxText(rateBasisPoints: number): string {
  return rateBasisPoints > 0 ? `, plus ${rateText(rateBasisPoints)} tax` : '';
}
