import { formApi, type Reply } from '../../app/api.ts';
import { queryClient } from '../../app/query-client.ts';
import { useRefusal } from '../../app/current-user.ts';
import { useForm } from '../../shared/forms/use-form.ts';
import { setSessionUser, useUser } from '../../app/session.ts';
import { Field, Input, TextField } from '../../ui/forms/field.tsx';
import { SettingsForm } from '../../shared/forms/settings-form.tsx';
import { announce } from '../../ui/feedback/toast.tsx';
import { ownPartnerQuery } from '../../queries/agency.ts';
import { BrandPreview } from './brand-preview.tsx';
import { TimezoneField } from '../../ui/forms/timezone-field.tsx';
import { refreshAfter } from '../../queries/refresh.ts';
import { useLoaded } from '../../app/route-data.ts';

type Partner = Reply<'getMyPartner'>;

/** The partner's settings and branding, with a preview for clients. */
export function AgencySettings() {
  return <AgencyForm partner={useLoaded(ownPartnerQuery)} />;
}

function AgencyForm({ partner }: { partner: Partner }) {
  const user = useUser();
  const refusal = useRefusal('agency.manage');
  const form = useForm({
    saved: {
      name: partner.name,
      brandColor: partner.brandColor ?? '',
      supportEmail: partner.supportEmail ?? '',
      website: partner.website ?? '',
      timezone: partner.timezone,
    },
    send: ({ name, timezone, brandColor, supportEmail, website }) =>
      formApi.updateMyPartner({
        headers: { 'if-match': `"${partner.updatedAt}"` },
        body: {
          name,
          timezone,
          brandColor: brandColor || null,
          supportEmail: supportEmail.trim() || null,
          website: website.trim() || null,
        },
      }),
    onSaved: (record) => {
      queryClient.setQueryData(ownPartnerQuery.queryKey, record);
      setSessionUser({
        ...user,
        partner: { ...user.partner, name: record.name, brandColor: record.brandColor, timezone: record.timezone },
      });
      announce('Settings saved. Clients see the changes on their next page.');
    },
  });
  const { values } = form;
  const isOff = refusal !== undefined;
  return (
    <div className="grid items-start gap-x-10 gap-y-8 rail:grid-cols-[minmax(0,620px)_minmax(300px,360px)] rail:justify-between">
      <SettingsForm form={form} refusal={refusal} onReload={() => void refreshAfter('agencyChanged')}>
        <TextField label="Agency name" note="required" required maxLength={120} disabled={isOff} {...form.input('name')} />
        <ColourField {...form.field('brandColor')} disabled={isOff} />
        <TextField
          label="Support e-mail"
          hint="Shown to your clients at the bottom of each page"
          type="email"
          disabled={isOff}
          {...form.input('supportEmail')}
        />
        <TextField label="Website" type="url" placeholder="https://" disabled={isOff} {...form.input('website')} />
        <TimezoneField {...form.field('timezone')} hint="Used for days and hours on the overview" disabled={isOff} />
      </SettingsForm>
      <BrandPreview
        name={values.name}
        hex={/^#[0-9a-f]{6}$/i.test(values.brandColor) ? values.brandColor : null}
        logoUrl={partner.logoUrl}
      />
    </div>
  );
}

function ColourField({
  value,
  onChange,
  error,
  disabled,
}: {
  value: string;
  onChange: (value: string) => void;
  error: string | undefined;
  disabled: boolean;
}) {
  return (
    <Field label="Brand colour" hint="We derive readable shades for the light and dark theme." error={error}>
      {(ids) => (
        <span className="flex gap-2">
          <input
            type="color"
            aria-label="Pick the brand colour"
            disabled={disabled}
            value={/^#[0-9a-f]{6}$/i.test(value) ? value : '#1f6f8b'}
            onChange={(event) => onChange(event.target.value)}
            className="min-h-8 w-11 rounded-md border border-control bg-surface p-1"
          />
          <Input
            {...ids}
            mono
            className="max-w-36"
            placeholder="#1f4e8c"
            maxLength={7}
            disabled={disabled}
            value={value}
            onChange={(event) => onChange(event.target.value)}
          />
        </span>
      )}
    </Field>
  );
}
