import { useMutation, useQuery } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import { api } from '../../app/api.ts';
import { queryClient } from '../../app/query-client.ts';
import { codeOf, fieldErrors } from '../../app/errors.ts';
import { formatNumber } from '../../ui/text/format.ts';
import { useRefusal } from '../../app/current-user.ts';
import { useUser } from '../../app/session.ts';
import { useTitle } from '../../ui/hooks/use-title.ts';
import { useEdits } from '../../ui/hooks/use-edits.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Field, TextArea, TextField } from '../../ui/forms/field.tsx';
import { Mark } from '../../ui/feedback/mark.tsx';
import { ErrorBlock, FormError } from '../../shared/error-block.tsx';
import { SkeletonRows } from '../../ui/feedback/skeleton.tsx';
import { TimezoneField } from '../../ui/forms/timezone-field.tsx';
import { announce } from '../../ui/feedback/toast.tsx';
import { PageHead } from './page-head.tsx';
import { type Business, businessQuery } from './queries.ts';
import { refreshAfter } from '../../queries/refresh.ts';

/** The business profile that agents quote in texts and answers. */
export function BusinessPage() {
  const { partner } = useUser();
  useTitle('Business', partner.name);
  const business = useQuery(businessQuery);
  return (
    <>
      <PageHead title="Your business" lead="Your agents use this when they text or answer people. Keep it up to date." />
      {business.error ? <ErrorBlock error={business.error} onRetry={() => void business.refetch()} /> : null}
      {business.isPending ? <SkeletonRows rows={10} height={92} label="Loading your business" /> : null}
      {business.data ? <BusinessForm business={business.data} /> : null}
    </>
  );
}

type Draft = {
  contactName: string;
  phone: string;
  timezone: string;
  hours: string;
  bookingUrl: string;
  reviewUrl: string;
  address: string;
  faqText: string;
};

function toDraft({ contactName, phone, timezone, businessProfile }: Business): Draft {
  const { hours, bookingUrl, reviewUrl, address, faqText } = businessProfile;
  return { contactName: contactName ?? '', phone: phone ?? '', timezone, hours, bookingUrl, reviewUrl, address, faqText };
}

const NAMES: Record<keyof Draft, string> = {
  contactName: 'contact',
  phone: 'phone',
  timezone: 'time zone',
  hours: 'hours',
  bookingUrl: 'booking link',
  reviewUrl: 'review link',
  address: 'address',
  faqText: 'questions and answers',
};

function BusinessForm({ business }: { business: Business }) {
  const saved = toDraft(business);
  const edits = useEdits(saved);
  const draft = edits.values;
  const refusal = useRefusal('profile.manage');
  const save = useMutation({
    mutationFn: () => {
      const { contactName, phone, timezone, ...businessProfile } = draft;
      return api.updateMyClient({
        body: { contactName: contactName.trim() || null, phone: phone.trim() || null, timezone, businessProfile },
        headers: { 'if-match': `"${business.updatedAt}"` },
      });
    },
    onMutate: () => draft,
    onSuccess: (record, _body, sent) => {
      queryClient.setQueryData(businessQuery.queryKey, record);
      edits.settle(sent);
      announce('Saved. Your agents use it from now on.');
    },
  });
  const changed = (Object.keys(saved) as (keyof Draft)[]).filter((key) => draft[key] !== saved[key]); // keys of Draft
  const errors = fieldErrors(save.error);
  const errorOf = (key: keyof Draft): string | undefined => errors[key] ?? errors[`businessProfile.${key}`];
  const set =
    (key: keyof Draft) =>
    (text: string): void =>
      edits.set({ [key]: text });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (!save.isPending && changed.length > 0) save.mutate();
  };
  return (
    <form onSubmit={submit}>
      <fieldset disabled={refusal !== undefined} className="grid max-w-[620px] gap-6">
        <FormError
          error={save.error}
          {...(codeOf(save.error) === 'stale_record' ? { onRetry: () => void refreshAfter('businessConflict') } : {})}
        />
        <TextField
          label="Opening hours"
          hint="As you would write them on your door"
          error={errorOf('hours')}
          size="lg"
          maxLength={500}
          placeholder="Mon–Fri 8:00–17:00"
          value={draft.hours}
          onChange={set('hours')}
        />
        <TextField
          label="Booking link"
          hint="Sent to people who want to book"
          error={errorOf('bookingUrl')}
          size="lg"
          type="url"
          maxLength={2048}
          placeholder="https://"
          value={draft.bookingUrl}
          onChange={set('bookingUrl')}
        />
        <TextField
          label="Review link"
          hint="Sent to happy customers"
          error={errorOf('reviewUrl')}
          size="lg"
          type="url"
          maxLength={2048}
          placeholder="https://"
          value={draft.reviewUrl}
          onChange={set('reviewUrl')}
        />
        <TextField
          label="Address"
          error={errorOf('address')}
          size="lg"
          maxLength={500}
          autoComplete="street-address"
          value={draft.address}
          onChange={set('address')}
        />
        <Field
          label="Questions and answers"
          note={`${formatNumber(draft.faqText.length)} of 8,000`}
          hint="One fact per line, such as “Parking is free behind the building.” Agents answer from these lines only."
          error={errorOf('faqText')}
        >
          {(ids) => (
            <TextArea {...ids} rows={9} maxLength={8000} value={draft.faqText} onChange={(event) => set('faqText')(event.target.value)} />
          )}
        </Field>
        <div className="grid gap-6 md:grid-cols-2">
          <TextField
            label="Contact person"
            error={errorOf('contactName')}
            size="lg"
            maxLength={120}
            autoComplete="name"
            value={draft.contactName}
            onChange={set('contactName')}
          />
          <TextField
            label="Phone"
            error={errorOf('phone')}
            size="lg"
            type="tel"
            maxLength={32}
            autoComplete="tel"
            value={draft.phone}
            onChange={set('phone')}
          />
        </div>
        <TimezoneField
          size="lg"
          value={draft.timezone}
          onChange={set('timezone')}
          error={errorOf('timezone')}
          hint="Used for quiet hours and reminders"
        />
        <div className="sticky bottom-[76px] z-10 -mx-4 flex flex-wrap items-center gap-x-4 gap-y-2 border-t border-line bg-canvas px-4 py-3 md:bottom-0">
          <p className="flex min-w-0 flex-1 basis-[200px] items-center gap-2 text-sm text-ink-2">
            {changed.length > 0 ? (
              <>
                <Mark kind="live" />
                <span>Unsaved: {changed.map((key) => NAMES[key]).join(', ')}</span>
              </>
            ) : (
              <span className="text-ink-3">Everything is saved.</span>
            )}
          </p>
          {changed.length > 0 ? (
            <Button
              size="lg"
              kind="quiet"
              onClick={() => {
                edits.reset();
                save.reset();
              }}
            >
              Discard
            </Button>
          ) : null}
          <Button
            size="lg"
            kind="primary"
            type="submit"
            disabledReason={refusal}
            inactive={changed.length === 0}
            busy={save.isPending && 'Saving'}
          >
            Save changes
          </Button>
        </div>
      </fieldset>
    </form>
  );
}
