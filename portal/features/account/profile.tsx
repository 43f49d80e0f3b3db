import { LIMITS, LOCALES } from '@partner-portal/contract/vocabulary.ts';
import { LANGUAGE_NAMES, localeOf } from '@partner-portal/messages/locale.ts';
import { loadMessages, useMessages } from '../../app/messages.ts';
import { useMutation } from '@tanstack/react-query';
import { refreshAfter } from '../../queries/refresh.ts';
import { api, formApi } from '../../app/api.ts';
import { type SessionUser, setSessionUser, useUser } from '../../app/session.ts';
import type { Theme } from '../../ui/hooks/theme.ts';
import { useTheme } from '../../ui/hooks/use-theme.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Field, TextField } from '../../ui/forms/field.tsx';
import { Select } from '../../ui/forms/select.tsx';
import { TimezoneField } from '../../ui/forms/timezone-field.tsx';
import { announce } from '../../ui/feedback/toast.tsx';
import { announceError } from '../../shared/announce-error.ts';
import { OwnPicture } from './own-picture.tsx';
import { AccountSection } from './account-section.tsx';
import { Form } from '../../shared/forms/form.tsx';
import { useForm } from '../../shared/forms/use-form.ts';

type Size = 'md' | 'lg';

/** Each language by its own name. */
const LANGUAGES = LOCALES.map((value) => ({ value, label: LANGUAGE_NAMES[value] }));

/** Shows the pages in the language of the user at once, and reads again what the service writes in it. */
async function applyLanguage({ role, locale, timezone }: SessionUser) {
  const messages = await loadMessages(role === 'CLIENT' ? locale : 'en', timezone);
  void refreshAfter('languageChosen');
  return messages;
}

/** The user's own picture, name and time zone. */
export function Profile({ size = 'md' }: { size?: Size }) {
  const { t } = useMessages();
  const user = useUser();
  const locale = localeOf(user.locale);
  const form = useForm({
    saved: { fullName: user.fullName, timezone: user.timezone, locale },
    send: ({ fullName, timezone, locale: chosen }) =>
      formApi.updateMe({
        // A region that was set elsewhere, such as de-AT, is kept until another language is chosen.
        body: { fullName: fullName.trim(), timezone, ...(chosen === locale ? {} : { locale: chosen }) },
      }),
    onSaved: (next) => {
      setSessionUser(next);
      void applyLanguage(next).then((messages) => announce(messages.t('account.profileSaved')));
    },
  });
  return (
    <AccountSection title={t('account.profile')}>
      <div className="mb-5">
        <OwnPicture size={size} />
      </div>
      <Form form={form}>
        <TextField
          label={t('account.name')}
          size={size}
          required
          maxLength={LIMITS.nameMax}
          autoComplete="name"
          {...form.input('fullName')}
        />
        <TimezoneField size={size} {...form.field('timezone')} />
        {user.role === 'CLIENT' ? (
          <Field label={t('account.language')} error={form.errors['locale']}>
            {(ids) => (
              <Select
                {...ids}
                label={t('account.language')}
                options={LANGUAGES}
                value={form.values.locale}
                onChange={(chosen) => form.set({ locale: localeOf(chosen) })}
                size={size}
              />
            )}
          </Field>
        ) : null}
        <div>
          <Button size={size} kind="primary" type="submit" inactive={!form.isChanged} busy={form.isBusy && t('ui.saving')}>
            {t('account.saveProfile')}
          </Button>
        </div>
      </Form>
    </AccountSection>
  );
}

const THEMES: readonly Theme[] = ['system', 'light', 'dark'];

/** Theme picker: applies immediately on this device and is saved to the account for other devices. */
export function Appearance() {
  const { t } = useMessages();
  const [theme, setTheme] = useTheme();
  const keep = useMutation({
    mutationFn: (next: Theme) => api.updateMe({ body: { theme: next } }),
    onSuccess: (next) => setSessionUser(next),
    onError: (error) => announceError(error),
  });
  const pick = (next: Theme): void => {
    setTheme(next);
    keep.mutate(next);
  };
  return (
    <AccountSection title={t('account.appearance')}>
      <div role="radiogroup" aria-label={t('account.appearance')} className="-mt-3">
        {THEMES.map((value) => (
          <label key={value} className="flex min-h-11 items-center gap-3.5 border-b border-line-soft py-3">
            <input
              type="radio"
              name="theme"
              className="size-4.5 flex-none accent-brand-fill"
              checked={theme === value}
              onChange={() => pick(value)}
            />
            <span>
              <span className="block font-medium">{t(`account.${value}`)}</span>
              <span className="text-ink-3">{t(`account.${value}Hint`)}</span>
            </span>
          </label>
        ))}
      </div>
    </AccountSection>
  );
}
