import { useMutation } from '@tanstack/react-query';
import { api, formApi } from '../../app/api.ts';
import { setSessionUser, useUser } from '../../app/session.ts';
import { type Theme, useTheme } from '../../ui/hooks/use-theme.ts';
import { Button } from '../../ui/controls/button.tsx';
import { TextField } from '../../ui/forms/field.tsx';
import { TimezoneField } from '../../ui/forms/timezone-field.tsx';
import { announce } from '../../ui/feedback/toast.tsx';
import { announceError } from '../../shared/announce-error.ts';
import { AccountSection } from './account-section.tsx';
import { refreshAfter } from '../../queries/refresh.ts';
import { Form } from '../../shared/forms/form.tsx';
import { useForm } from '../../shared/forms/use-form.ts';

type Size = 'md' | 'lg';

/** The user's own name and time zone. */
export function Profile({ size = 'md' }: { size?: Size }) {
  const user = useUser();
  const form = useForm({
    saved: { fullName: user.fullName, timezone: user.timezone },
    send: ({ fullName, timezone }) => formApi.updateMe({ body: { fullName: fullName.trim(), timezone } }),
    onSaved: (next) => {
      setSessionUser(next);
      void refreshAfter('accountChanged');
      announce('Profile saved.');
    },
  });
  return (
    <AccountSection title="Profile">
      <Form form={form}>
        <TextField label="Your name" size={size} required maxLength={120} autoComplete="name" {...form.input('fullName')} />
        <TimezoneField size={size} {...form.field('timezone')} />
        <div>
          <Button size={size} kind="primary" type="submit" inactive={!form.isChanged} busy={form.isBusy && 'Saving'}>
            Save profile
          </Button>
        </div>
      </Form>
    </AccountSection>
  );
}

const THEMES: readonly { value: Theme; label: string; hint: string }[] = [
  { value: 'system', label: 'System', hint: 'Follows your device’s setting' },
  { value: 'light', label: 'Light', hint: 'Dark text on a light background' },
  { value: 'dark', label: 'Dark', hint: 'Light text on a dark background' },
];

/** Theme picker: applies immediately on this device and is saved to the account for other devices. */
export function Appearance() {
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
    <AccountSection title="Appearance">
      <div role="radiogroup" aria-label="Appearance" className="-mt-3">
        {THEMES.map(({ value, label, hint }) => (
          <label key={value} className="flex min-h-11 items-center gap-3.5 border-b border-line-soft py-3">
            <input
              type="radio"
              name="theme"
              className="size-[18px] flex-none accent-brand-fill"
              checked={theme === value}
              onChange={() => pick(value)}
            />
            <span>
              <span className="block font-medium">{label}</span>
              <span className="text-ink-3">{hint}</span>
            </span>
          </label>
        ))}
      </div>
    </AccountSection>
  );
}
