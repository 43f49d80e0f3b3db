import { creditsToTake } from '@partner-portal/core/billing/purchase.ts';
import { useRef } from 'react';
import { v4 as newId } from 'uuid';
import { formApi } from '../../app/api.ts';
import type { Billing } from '../../queries/billing.ts';
import { refreshAfter } from '../../queries/refresh.ts';
import { Form } from '../../shared/forms/form.tsx';
import { useForm } from '../../shared/forms/use-form.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Segmented } from '../../ui/controls/segmented.tsx';
import { announce } from '../../ui/feedback/toast.tsx';
import { Field, TextArea, TextField } from '../../ui/forms/field.tsx';
import { Dialog, DialogActions, holdFocus } from '../../ui/overlays/dialog.tsx';
import { formatNumber, plural } from '../../ui/text/format.ts';

type Values = { what: 'credits' | 'seats'; count: string; note: string };

/** Adds or takes credits or seats without charge. An adjustment is never changed; another one counters it. */
export function AdjustDialog({ billing, onClose }: { billing: Billing; onClose: () => void }) {
  const { subscription, credits } = billing;
  // One key for all tries of this dialog: an adjustment whose answer was lost is not made twice.
  const key = useRef(newId());
  const form = useForm({
    saved: { what: 'credits', count: '', note: '' } as Values,
    send: ({ what, count, note }) =>
      formApi.adjustBilling({
        body: { partnerId: subscription.partnerId, [what]: Number(count), note: note.trim() },
        headers: { 'idempotency-key': key.current },
      }),
    onSaved: ({ credits, seats }) => {
      const count = credits ?? seats ?? 0;
      announce(`${plural(Math.abs(count), credits === null ? 'seat' : 'credit')} ${count > 0 ? 'added' : 'taken'}.`);
      onClose();
      void refreshAfter('billingChanged');
    },
    fieldNames: { credits: 'count', seats: 'count' },
    keepValues: true,
  });
  const { values } = form;
  const change = Number(values.count);
  const isReady = Number.isInteger(change) && change !== 0;
  const seats = subscription.grantedSeats;
  const left = creditsToTake(credits);
  const hint =
    values.what === 'seats'
      ? `Granted seats: ${formatNumber(seats)}${isReady ? `, then ${formatNumber(seats + change)}` : ''}`
      : `Purchased credits left: ${formatNumber(left)}${isReady ? `, ${creditsThen(credits, change)}` : ''}`;
  return (
    <Dialog open onClose={onClose} title="Adjust credits or seats">
      <Form form={form} className="grid gap-4">
        <p className="text-ink-2">
          This is free, takes effect at once and is recorded in the ledger. To undo it, make the opposite adjustment.
        </p>
        <div>
          <Segmented
            label="What to adjust"
            value={values.what}
            onChange={(what) => form.set({ what })}
            options={[
              { value: 'credits', label: 'Credits' },
              { value: 'seats', label: 'Seats' },
            ]}
          />
        </div>
        <TextField
          label={values.what === 'credits' ? 'Credits to add' : 'Seats to add'}
          note="below 0 takes"
          type="number"
          step={1}
          required
          ref={holdFocus}
          hint={hint}
          {...form.input('count')}
        />
        <Field label="Note" note="required, in the ledger" error={form.errors['note']}>
          {(ids) => (
            <TextArea
              {...ids}
              data-field="note"
              required
              rows={2}
              maxLength={500}
              value={values.note}
              onChange={(event) => form.set({ note: event.target.value })}
            />
          )}
        </Field>
        <DialogActions>
          <Button onClick={onClose}>Back</Button>
          <Button kind="primary" type="submit" busy={form.isBusy && 'Adjusting'}>
            Adjust
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}

/** What an adjustment leaves of the purchased credits: those that the period has used are taken off. */
function creditsThen(credits: Billing['credits'], change: number): string {
  const left = creditsToTake(credits);
  if (-change > left) return `${formatNumber(left)} can be taken`;
  return `then ${formatNumber(creditsToTake({ ...credits, purchased: credits.purchased + change }))}`;
}
