import { LIMITS } from '@partner-portal/contract/vocabulary.ts';
import { formApi, type Reply } from '../../app/api.ts';
import { queryClient } from '../../app/query-client.ts';
import { useRefusal } from '../../app/current-user.ts';
import { useForm } from '../../shared/forms/use-form.ts';
import { setSessionUser, useUser } from '../../app/session.ts';
import { ColourField, isColour } from '../../ui/forms/colour-field.tsx';
import { TextField } from '../../ui/forms/field.tsx';
import { SettingsForm } from '../../shared/forms/settings-form.tsx';
import { announce } from '../../ui/feedback/toast.tsx';
import { ownPartnerQuery } from '../../queries/agency.ts';
import { LogoSection } from './logo-section.tsx';
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
      if (record.timezone !== partner.timezone) void refreshAfter('timezoneChosen');
      announce('Settings saved. Clients see the changes on their next page.');
    },
  });
  const { values } = form;
  const isOff = refusal !== undefined;
  return (
    <div className="grid items-start gap-x-10 gap-y-8 rail:grid-cols-[minmax(0,620px)_minmax(300px,360px)] rail:justify-between">
      <div>
        <LogoSection partner={partner} />
        <SettingsForm form={form} refusal={refusal} onReload={() => void refreshAfter('agencyChanged')}>
          <TextField label="Agency name" note="required" required maxLength={LIMITS.nameMax} disabled={isOff} {...form.input('name')} />
          <ColourField
            label="Brand colour"
            hint="We derive readable shades for the light and dark theme."
            {...form.field('brandColor')}
            disabled={isOff}
          />
          <TextField
            label="Support e-mail"
            hint="Shown to your clients at the bottom of each page"
            type="email"
            disabled={isOff}
            {...form.input('supportEmail')}
          />
          <TextField label="Website" type="url" placeholder="https://" disabled={isOff} {...form.input('website')} />
          <TimezoneField
            {...form.field('timezone')}
            hint="For days of your figures, times in e-mails, your own agents, and new clients; those you have keep theirs"
            disabled={isOff}
          />
        </SettingsForm>
      </div>
      <BrandPreview
        name={values.name}
        hex={isColour(values.brandColor) ? values.brandColor : null}
        logoUrl={partner.logoUrl}
        logoAlt={user.partner.logoAlt}
      />
    </div>
  );
}
