import { useQuery } from '@tanstack/react-query';
import { X } from 'lucide-react';
import { useRef } from 'react';
import { v4 as newId } from 'uuid';
import { formApi } from '../../app/api.ts';
import { type Invoice, type InvoiceDetail, invoiceQuery } from '../../queries/billing.ts';
import { refreshAfter } from '../../queries/refresh.ts';
import { useIsMailOff } from '../../queries/service-readiness.ts';
import { amountOf, invoiceName } from '../../shared/billing-labels.ts';
import { Form } from '../../shared/forms/form.tsx';
import { useForm } from '../../shared/forms/use-form.ts';
import { Loaded } from '../../shared/loaded.tsx';
import { SEND_PDF } from '../../shared/without-mail.ts';
import { priceStep } from '../../shared/money-input.ts';
import { Button, IconButton } from '../../ui/controls/button.tsx';
import { SkeletonRows } from '../../ui/feedback/skeleton.tsx';
import { announce } from '../../ui/feedback/toast.tsx';
import { Field, Input, TextArea } from '../../ui/forms/field.tsx';
import { Dialog, DialogActions } from '../../ui/overlays/dialog.tsx';
import '../../ui/forms/field.css';
import { type CreditLine, creditedMinor, fullCredit, NEW_LINE, toCredit } from './credit-lines.ts';

/** Issues a credit note for an invoice: lines to take off, and the reason. */
export function CreditDialog({ invoice, onClose }: { invoice: Invoice; onClose: () => void }) {
  const detail = useQuery(invoiceQuery(invoice.id));
  return (
    <Dialog open wide onClose={onClose} title={`Credit note for ${invoiceName(invoice).toLowerCase()}`}>
      <Loaded query={detail} skeleton={<SkeletonRows rows={3} label="Loading the invoice" />}>
        {(data) => <CreditForm invoice={data} onClose={onClose} />}
      </Loaded>
    </Dialog>
  );
}

function CreditForm({ invoice, onClose }: { invoice: InvoiceDetail; onClose: () => void }) {
  const { currency } = invoice;
  // One key for all tries of this dialog: a credit note whose answer was lost is not issued twice.
  const key = useRef(newId());
  const isMailOff = useIsMailOff();
  const form = useForm({
    saved: { lines: [NEW_LINE] as readonly CreditLine[], reason: '' },
    send: ({ lines, reason }) =>
      formApi.creditInvoice({
        params: { id: invoice.id },
        body: { lines: toCredit(lines, currency), reason: reason.trim() },
        headers: { 'idempotency-key': key.current },
      }),
    onSaved: (note) => {
      announce(
        `${invoiceName(note)} for ${amountOf(-note.totalMinor, currency)} is issued${isMailOff ? `. ${SEND_PDF}` : ' and goes out by e-mail.'}`,
      );
      onClose();
      void refreshAfter('billingChanged');
    },
    keepValues: true,
  });
  const { lines } = form.values;
  return (
    <Form form={form} className="grid gap-4">
      <p className="text-ink-2">
        Amounts are before tax and taken off the invoice of <b>{amountOf(invoice.totalMinor, currency)}</b>. The note gets its own number
        {isMailOff ? `. ${SEND_PDF}` : ` and is mailed to ${invoice.partnerName}.`}
      </p>
      <Lines lines={lines} currency={currency} error={form.errors['lines']} onChange={(next) => form.set({ lines: next })} />
      <div className="flex flex-wrap items-center gap-2">
        <Button size="sm" onClick={() => form.set({ lines: [...lines, NEW_LINE] })}>
          Add line
        </Button>
        <Button size="sm" onClick={() => form.set({ lines: fullCredit(invoice) })}>
          {invoice.creditNotes.length > 0 ? 'Credit the rest' : 'Credit all of it'}
        </Button>
        <p className="tabular-nums ml-auto text-ink-2" role="status">
          <b>{amountOf(creditedMinor(lines, currency), currency)}</b> before tax
        </p>
      </div>
      <Field label="Reason" note="required, on the note" error={form.errors['reason']}>
        {(ids) => (
          <TextArea
            {...ids}
            data-field="reason"
            required
            rows={2}
            maxLength={500}
            value={form.values.reason}
            onChange={(event) => form.set({ reason: event.target.value })}
          />
        )}
      </Field>
      <DialogActions>
        <Button onClick={onClose}>Back</Button>
        <Button kind="primary" type="submit" busy={form.isBusy && 'Issuing'} inactive={creditedMinor(lines, currency) === 0}>
          Issue credit note
        </Button>
      </DialogActions>
    </Form>
  );
}

type LinesProps = {
  lines: readonly CreditLine[];
  currency: string;
  error: string | undefined;
  onChange: (lines: readonly CreditLine[]) => void;
};

function Lines({ lines, currency, error, onChange }: LinesProps) {
  const change = (at: number, part: Partial<CreditLine>): void =>
    onChange(lines.map((line, one) => (one === at ? { ...line, ...part } : line)));
  const invalid = error ? (true as const) : undefined;
  return (
    <fieldset className="grid gap-2">
      <legend className="field-label">Lines</legend>
      {lines.map((line, at) => (
        <div key={at} className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-2 md:grid-cols-[minmax(0,1fr)_80px_120px_auto]">
          <Input
            data-field="lines"
            aria-invalid={invalid}
            aria-label={`Description of line ${at + 1}`}
            placeholder="Description"
            required
            maxLength={200}
            autoFocus={at === 0}
            value={line.description}
            onChange={(event) => change(at, { description: event.target.value })}
          />
          <Input
            data-field="lines"
            aria-invalid={invalid}
            aria-label={`Quantity of line ${at + 1}`}
            type="number"
            min={1}
            required
            className="max-md:order-3"
            value={line.quantity}
            onChange={(event) => change(at, { quantity: event.target.value })}
          />
          <Input
            data-field="lines"
            aria-invalid={invalid}
            aria-label={`Unit price of line ${at + 1} in ${currency}`}
            placeholder={currency}
            type="number"
            min={0}
            step={priceStep(currency)}
            required
            className="max-md:order-3"
            value={line.price}
            onChange={(event) => change(at, { price: event.target.value })}
          />
          <IconButton label={`Remove line ${at + 1}`} onClick={() => onChange(lines.filter((_line, one) => one !== at))}>
            <X aria-hidden />
          </IconButton>
        </div>
      ))}
      {error ? (
        <p className="field-hint" data-bad="">
          {error}
        </p>
      ) : null}
    </fieldset>
  );
}
