import { formApi } from '../../app/api.ts';
import type { Invoice } from '../../queries/billing.ts';
import { refreshAfter } from '../../queries/refresh.ts';
import { amountOf } from '../../shared/billing-labels.ts';
import { Form } from '../../shared/forms/form.tsx';
import { useForm } from '../../shared/forms/use-form.ts';
import { Button } from '../../ui/controls/button.tsx';
import { announce } from '../../ui/feedback/toast.tsx';
import { TextField } from '../../ui/forms/field.tsx';
import { Dialog, DialogActions } from '../../ui/overlays/dialog.tsx';
import { paidAtOf, todayUtc } from './paid-at.ts';

/** Records the payment of an issued invoice with its reference and day. */
export function PayDialog({ invoice, onClose }: { invoice: Invoice; onClose: () => void }) {
  const amount = amountOf(invoice.owedMinor, invoice.currency);
  const form = useForm({
    saved: { reference: '', paidOn: todayUtc(new Date()) },
    send: ({ reference, paidOn }) =>
      formApi.payInvoice({
        params: { id: invoice.id },
        body: { reference: reference.trim(), paidAt: paidAtOf(paidOn, new Date()) },
      }),
    onSaved: () => {
      announce(`${amount} from ${invoice.partnerName} recorded as paid.`);
      onClose();
      void refreshAfter('billingChanged');
    },
    fieldNames: { paidAt: 'paidOn' },
    keepValues: true,
  });
  return (
    <Dialog open onClose={onClose} title={`Record the payment of ${invoice.number ?? 'the invoice'}`}>
      <Form form={form} className="grid gap-4">
        <p className="text-ink-2">
          <b>{amount}</b> from {invoice.partnerName}.
          {invoice.overdueDays > 0 ? ' With its last overdue invoice paid, the agency is active again.' : null}
        </p>
        <div className="grid gap-4 md:grid-cols-[1fr_160px]">
          <TextField label="Reference" hint="Of the transfer" autoFocus required maxLength={120} {...form.input('reference')} />
          <TextField
            label="Paid on"
            type="date"
            required
            min={invoice.issuedAt?.slice(0, 10)}
            max={todayUtc(new Date())}
            {...form.input('paidOn')}
          />
        </div>
        <DialogActions>
          <Button onClick={onClose}>Back</Button>
          <Button kind="primary" type="submit" busy={form.isBusy && 'Recording'}>
            Record payment
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}
