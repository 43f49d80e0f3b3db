import { useState } from 'react';
import { formApi } from '../../app/api.ts';
import { useRefusal } from '../../app/current-user.ts';
import type { Billing } from '../../queries/billing.ts';
import { refreshAfter } from '../../queries/refresh.ts';
import { rateText } from '../../shared/billing-labels.ts';
import { Form } from '../../shared/forms/form.tsx';
import { useForm } from '../../shared/forms/use-form.ts';
import { Button } from '../../ui/controls/button.tsx';
import { announce } from '../../ui/feedback/toast.tsx';
import { TextField } from '../../ui/forms/field.tsx';
import { KeyValues, Panel } from '../../ui/layout/layout.tsx';
import { Dialog, DialogActions } from '../../ui/overlays/dialog.tsx';

/** Tax rate and note of the agency's invoices. */
export function TaxPanel({ billing }: { billing: Billing }) {
  const [isEditing, setEditing] = useState(false);
  const refusal = useRefusal('partners.manage');
  const { rateBasisPoints, note } = billing.tax;
  return (
    <Panel title="Tax" aside="from the next invoice">
      <KeyValues
        rows={[
          ['Rate', rateText(rateBasisPoints)],
          ['Note', note ?? '–'],
        ]}
      />
      <Button size="sm" className="mt-3" disabledReason={refusal} onClick={() => setEditing(true)}>
        Change tax
      </Button>
      {isEditing ? <TaxDialog billing={billing} onClose={() => setEditing(false)} /> : null}
    </Panel>
  );
}

function TaxDialog({ billing: { tax, subscription }, onClose }: { billing: Billing; onClose: () => void }) {
  const form = useForm({
    saved: { rate: String(tax.rateBasisPoints / 100), note: tax.note ?? '' },
    send: ({ rate, note }) =>
      formApi.updateSubscription({
        params: { partnerId: subscription.partnerId },
        body: { taxRateBasisPoints: Math.round(Number(rate) * 100), taxNote: note.trim() || null },
        headers: { 'if-match': `"${subscription.updatedAt}"` },
      }),
    onSaved: () => {
      announce('Tax saved.');
      onClose();
      void refreshAfter('billingChanged');
    },
    fieldNames: { taxRateBasisPoints: 'rate', taxNote: 'note' },
  });
  return (
    <Dialog open onClose={onClose} title="Change tax">
      <Form form={form} className="grid gap-4" onReload={() => void refreshAfter('billingChanged')}>
        <p className="text-ink-2">Issued invoices keep their rate. Drafts use the new one.</p>
        <TextField label="Rate" note="percent" type="number" min={0} max={100} step="0.01" required autoFocus {...form.input('rate')} />
        <TextField
          label="Note"
          note="optional"
          hint="Printed on the invoice, such as “Reverse charge”"
          maxLength={200}
          {...form.input('note')}
        />
        <DialogActions>
          <Button onClick={onClose}>Back</Button>
          <Button kind="primary" type="submit" inactive={!form.isChanged} busy={form.isBusy && 'Saving'}>
            Save tax
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}
