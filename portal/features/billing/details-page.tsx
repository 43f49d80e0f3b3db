import { formApi } from '../../app/api.ts';
import { useRefusal } from '../../app/current-user.ts';
import { queryClient } from '../../app/query-client.ts';
import { useLoaded } from '../../app/route-data.ts';
import { type Billing, billingQuery } from '../../queries/billing.ts';
import { refreshAfter } from '../../queries/refresh.ts';
import { rateText } from '../../shared/billing-labels.ts';
import { SettingsForm } from '../../shared/forms/settings-form.tsx';
import { useForm } from '../../shared/forms/use-form.ts';
import { announce } from '../../ui/feedback/toast.tsx';
import { CountryField } from '../../ui/forms/country-field.tsx';
import { Field, TextArea, TextField } from '../../ui/forms/field.tsx';

/** Who is invoiced, and where. */
export function DetailsPage() {
  return <DetailsForm billing={useLoaded(billingQuery())} />;
}

function DetailsForm({ billing }: { billing: Billing }) {
  const { settings, tax } = billing;
  const refusal = useRefusal('agency.manage');
  const isOff = refusal !== undefined;
  const form = useForm({
    saved: {
      billingEmail: settings.billingEmail ?? '',
      address: settings.address ?? '',
      country: settings.country ?? '',
      taxId: settings.taxId ?? '',
    },
    send: ({ billingEmail, address, country, taxId }) =>
      formApi.updateBillingSettings({
        body: {
          billingEmail: billingEmail.trim() || null,
          address: address.trim() || null,
          country: country || null,
          taxId: taxId.trim() || null,
        },
        ...(settings.updatedAt ? { headers: { 'if-match': `"${settings.updatedAt}"` } } : {}),
      }),
    onSaved: (saved) => {
      queryClient.setQueryData(billingQuery().queryKey, { ...billing, settings: saved });
      announce('Billing details saved. They are printed on the next invoice.');
    },
  });
  return (
    <SettingsForm form={form} refusal={refusal} onReload={() => void refreshAfter('billingChanged')} className="max-w-form">
      <p className="text-ink-2">These details are printed on every invoice issued from now on. Issued invoices never change.</p>
      <TextField
        label="Billing e-mail"
        hint="Invoices and reminders go here. If empty, they go to your agency’s admins."
        type="email"
        disabled={isOff}
        {...form.input('billingEmail')}
      />
      <Field label="Address" hint="As it should appear under the name of your agency" error={form.errors['address']}>
        {(ids) => (
          <TextArea
            {...ids}
            data-field="address"
            rows={4}
            maxLength={500}
            disabled={isOff}
            value={form.values.address}
            onChange={(event) => form.set({ address: event.target.value })}
          />
        )}
      </Field>
      <CountryField {...form.field('country')} hint="Decides the paper size of your invoices" disabled={isOff} />
      <TextField label="Tax ID" hint="VAT number, EIN or similar" maxLength={40} disabled={isOff} {...form.input('taxId')} />
      <p className="text-ink-2">
        {tax.rateBasisPoints > 0 ? `Your invoices have ${rateText(tax.rateBasisPoints)} tax` : 'Your invoices have no tax'}
        {tax.note ? ` (${tax.note})` : ''}. Contact us to change that.
      </p>
    </SettingsForm>
  );
}
