import { LIMITS, type ProfileKey } from '@partner-portal/contract/vocabulary.ts';
import { PROFILE_LABELS } from '@partner-portal/messages/lack-sentence.ts';
import type { MessageKey } from '@partner-portal/messages/messages.ts';
import { useMessages } from '../../app/messages.ts';
import { formApi } from '../../app/api.ts';
import { queryClient } from '../../app/query-client.ts';
import { codeOf } from '../../app/errors.ts';
import { useRefusal } from '../../app/current-user.ts';
import { useUser } from '../../app/session.ts';
import { useTitle } from '../../ui/hooks/use-title.ts';
import { useForm } from '../../shared/forms/use-form.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Field, TextArea, TextField } from '../../ui/forms/field.tsx';
import { Mark } from '../../ui/feedback/mark.tsx';
import { Form, FormErrors } from '../../shared/forms/form.tsx';
import { TimezoneField } from '../../ui/forms/timezone-field.tsx';
import { announce } from '../../ui/feedback/toast.tsx';
import { PageHead } from './page-head.tsx';
import { type Business, businessQuery } from './queries.ts';
import { refreshAfter } from '../../queries/refresh.ts';
import { useLoaded } from '../../app/route-data.ts';

/** The business profile that agents quote in texts and answers. */
export function BusinessPage() {
  const { t } = useMessages();
  const { partner, features } = useUser();
  useTitle(t('client.business'), partner.name);
  const business = useLoaded(businessQuery);
  return (
    <>
      <PageHead title={t('client.yourBusiness')} lead={t(features.chatbot ? 'client.businessLeadChat' : 'client.businessLead')} />
      <BusinessForm business={business} />
    </>
  );
}

type Draft = Record<'contactName' | 'phone' | 'timezone' | ProfileKey, string>;

function toDraft({ contactName, phone, timezone, businessProfile }: Business): Draft {
  const { hours, bookingUrl, reviewUrl, address, faqText } = businessProfile;
  return { contactName: contactName ?? '', phone: phone ?? '', timezone, hours, bookingUrl, reviewUrl, address, faqText };
}

const NAMES: Record<keyof Draft, MessageKey> = {
  contactName: 'client.contact',
  phone: 'client.phone',
  timezone: 'ui.timezone',
  ...PROFILE_LABELS,
};

function BusinessForm({ business }: { business: Business }) {
  const { t } = useMessages();
  const saved = toDraft(business);
  const refusal = useRefusal('profile.manage');
  const form = useForm({
    saved,
    send: ({ contactName, phone, timezone, ...businessProfile }) =>
      formApi.updateMyClient({
        body: { contactName: contactName.trim() || null, phone: phone.trim() || null, timezone, businessProfile },
        headers: { 'if-match': `"${business.updatedAt}"` },
      }),
    onSaved: (record) => {
      queryClient.setQueryData(businessQuery.queryKey, record);
      announce(t('client.saved'));
    },
  });
  const draft = form.values;
  const changed = (Object.keys(saved) as (keyof Draft)[]).filter((key) => draft[key] !== saved[key]); // keys of Draft
  return (
    <Form form={form} hasSummary={false} className="">
      <fieldset disabled={refusal !== undefined} className="grid max-w-form gap-6">
        <FormErrors
          form={form}
          {...(codeOf(form.error) === 'stale_record' ? { onReload: () => void refreshAfter('businessConflict') } : {})}
        />
        <TextField
          label={t('client.hours')}
          hint={t('client.hoursHint')}
          size="lg"
          maxLength={500}
          placeholder={t('client.hoursExample')}
          {...form.input('hours')}
        />
        <TextField
          label={t('client.bookingLink')}
          hint={t('client.bookingHint')}
          size="lg"
          type="url"
          maxLength={2048}
          placeholder="https://"
          {...form.input('bookingUrl')}
        />
        <TextField
          label={t('client.reviewLink')}
          hint={t('client.reviewHint')}
          size="lg"
          type="url"
          maxLength={2048}
          placeholder="https://"
          {...form.input('reviewUrl')}
        />
        <TextField label={t('client.address')} size="lg" maxLength={500} autoComplete="street-address" {...form.input('address')} />
        <Field
          label={t('client.faq')}
          note={t('client.faqNote', { count: draft.faqText.length, most: LIMITS.faqTextMax })}
          hint={t('client.faqHint')}
          error={form.errors['faqText']}
        >
          {(ids) => (
            <TextArea
              {...ids}
              rows={9}
              maxLength={LIMITS.faqTextMax}
              value={draft.faqText}
              onChange={(event) => form.set({ faqText: event.target.value })}
            />
          )}
        </Field>
        <div className="grid gap-6 md:grid-cols-2">
          <TextField label={t('client.contact')} size="lg" maxLength={120} autoComplete="name" {...form.input('contactName')} />
          <TextField label={t('client.phone')} size="lg" type="tel" maxLength={32} autoComplete="tel" {...form.input('phone')} />
        </div>
        <TimezoneField size="lg" {...form.field('timezone')} hint={t('client.timezoneHint')} />
        <div className="sticky bottom-19 z-10 -mx-4 flex flex-wrap items-center gap-x-4 gap-y-2 border-t border-line bg-canvas px-4 py-3 md:bottom-0">
          <p className="flex min-w-0 flex-1 basis-50 items-center gap-2 text-sm text-ink-2">
            {changed.length > 0 ? (
              <>
                <Mark kind="live" />
                <span>{t('client.unsaved', { fields: changed.map((key) => t(NAMES[key])).join(', ') })}</span>
              </>
            ) : (
              <span className="text-ink-3">{t('ui.allSaved')}</span>
            )}
          </p>
          {changed.length > 0 ? (
            <Button size="lg" kind="quiet" onClick={form.reset}>
              {t('ui.discard')}
            </Button>
          ) : null}
          <Button
            size="lg"
            kind="primary"
            type="submit"
            disabledReason={refusal}
            inactive={changed.length === 0}
            busy={form.isBusy && t('ui.saving')}
          >
            {t('ui.saveChanges')}
          </Button>
        </div>
      </fieldset>
    </Form>
  );
}
