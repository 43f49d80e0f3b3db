import { useState } from 'react';
import { formApi } from '../../app/api.ts';
import type { Invoice } from '../../queries/billing.ts';
import { refreshAfter } from '../../queries/refresh.ts';
import { amountOf, invoiceName } from '../../shared/billing-labels.ts';
import { NoteDialog } from '../../shared/note-dialog.tsx';
import { announce } from '../../ui/feedback/toast.tsx';
import { Checkbox } from '../../ui/forms/field.tsx';

/** Voids a draft or an unpaid invoice, with the reason. An issued one can be drafted again, with details that were missing. */
export function VoidDialog({ invoice, onClose }: { invoice: Invoice; onClose: () => void }) {
  const name = invoiceName(invoice);
  const [isReplaced, setReplaced] = useState(false);
  return (
    <NoteDialog
      title={`Void ${name.charAt(0).toLowerCase()}${name.slice(1)}?`}
      label="Reason"
      hint="required, kept with the invoice"
      required
      danger
      maxLength={500}
      action="Void invoice"
      busy="Voiding"
      keep="Keep it"
      send={(reason) => formApi.voidInvoice({ params: { id: invoice.id }, body: { reason, ...(isReplaced ? { replace: true } : {}) } })}
      onSaved={() => {
        announce(`${name} of ${invoice.partnerName} is void.`, isReplaced ? { detail: 'Its draft waits among the drafts.' } : {});
        onClose();
        void refreshAfter('billingChanged');
      }}
      onClose={onClose}
      more={
        invoice.number ? (
          <Checkbox
            label="Draft it again"
            hint="The same lines, period and orders, with the billing details and tax of when you issue it. Otherwise they are not charged."
            checked={isReplaced}
            onChange={(event) => setReplaced(event.target.checked)}
          />
        ) : null
      }
    >
      <b>
        {amountOf(invoice.totalMinor, invoice.currency)} of {invoice.partnerName}
      </b>{' '}
      {invoice.number ? 'is no longer owed. The invoice keeps its number.' : 'is not charged. The draft stays in the list as void.'}{' '}
      {invoice.periodStart && !isReplaced ? 'If a change of plan credited its unused rest, that credit is removed. ' : ''}This cannot be
      undone.
    </NoteDialog>
  );
}
