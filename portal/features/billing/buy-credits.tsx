import { quotePacks } from '@partner-portal/core/billing/purchase.ts';
import { LIMITS } from '@partner-portal/contract/vocabulary.ts';
import { formApi } from '../../app/api.ts';
import type { Billing } from '../../queries/billing.ts';
import { amountOf, billingDay } from '../../shared/billing-labels.ts';
import { Form } from '../../shared/forms/form.tsx';
import { useForm } from '../../shared/forms/use-form.ts';
import { Button } from '../../ui/controls/button.tsx';
import { announce } from '../../ui/feedback/toast.tsx';
import { TextField } from '../../ui/forms/field.tsx';
import { RadioCard } from '../../ui/forms/radio-card.tsx';
import { Dialog, DialogActions } from '../../ui/overlays/dialog.tsx';
import { formatNumber } from '../../ui/text/format.ts';
import { taxText } from './buy-seats.tsx';
import { Charges } from './charges.tsx';
import { countOf, refreshPurchases, usePurchaseKey } from './purchase.ts';
import '../../ui/forms/field.css';

/** Buys credit packs of the plan. */
export function BuyCreditsDialog({ billing, onClose }: { billing: Billing; onClose: () => void }) {
  const { plan, subscription, credits, tax } = billing;
  const { currency } = subscription.terms;
  const packOf = (packId: string) => plan.creditPacks.find(({ id }) => id === packId);
  const form = useForm({
    saved: { packId: plan.creditPacks[0]?.id ?? '', quantity: '1' },
    send: ({ packId, quantity }) => {
      const { priceMinor, credits: packCredits } = packOf(packId) ?? {};
      return formApi.buyCredits({ body: { packId, quantity: Number(quantity), unitPriceMinor: priceMinor, packCredits }, headers: key });
    },
    onSaved: (order) => {
      onClose();
      announce(`${formatNumber(order.credits ?? 0)} credits bought.`);
      refreshPurchases();
    },
    // The pack may have changed.
    onRefused: refreshPurchases,
  });
  const key = usePurchaseKey(`credits/${form.values.packId}/${form.values.quantity}`);
  const pack = packOf(form.values.packId);
  const quantity = countOf(form.values.quantity, LIMITS.packsPerOrderMax);
  // Credits used beyond the limit are taken off the ones that are bought.
  const left = Math.min(credits.remaining, credits.monthly + credits.purchased - credits.used);
  const bought = pack && quantity !== null ? { credits: pack.credits * quantity, ...quotePacks(quantity, pack) } : null;
  return (
    <Dialog open onClose={onClose} title="Buy credits">
      <Form form={form} className="grid gap-4">
        <p className="text-ink-2">Credits you buy are used after the monthly ones. They never expire.</p>
        <fieldset className="grid gap-2">
          <legend className="field-label">Pack</legend>
          {plan.creditPacks.map((one) => (
            <RadioCard key={one.id} name="pack" isChosen={one.id === form.values.packId} onPick={() => form.set({ packId: one.id })}>
              <span className="tabular-nums flex flex-wrap items-baseline justify-between gap-x-4">
                <span className="font-medium">{formatNumber(one.credits)} credits</span>
                <b>{amountOf(one.priceMinor, currency)}</b>
              </span>
              <span className="tabular-nums block text-xs text-ink-3">
                {amountOf(Math.round((one.priceMinor * 1000) / one.credits), currency)} for 1,000
              </span>
            </RadioCard>
          ))}
          {form.errors['packId'] ? (
            <p className="field-hint" data-bad="">
              {form.errors['packId']}
            </p>
          ) : null}
        </fieldset>
        <TextField
          label="Packs"
          type="number"
          inputMode="numeric"
          required
          min={1}
          max={LIMITS.packsPerOrderMax}
          step={1}
          {...form.input('quantity')}
        />
        <Charges
          rows={[
            { name: 'Price, once', value: bought ? amountOf(bought.dueNowMinor, currency) : '–', isMain: true },
            {
              name: 'Credits left',
              value: `${formatNumber(credits.remaining)} → ${bought ? formatNumber(Math.max(0, left + bought.credits)) : '–'}`,
            },
          ]}
          note={`You pay nothing today: this goes on your invoice of ${billingDay(subscription.currentPeriodEnd)}${taxText(tax.rateBasisPoints)}.`}
        />
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" inactive={bought === null} busy={form.isBusy && 'Buying'}>
            {bought ? `Buy ${formatNumber(bought.credits)} credits for ${amountOf(bought.dueNowMinor, currency)}` : 'Buy credits'}
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}
