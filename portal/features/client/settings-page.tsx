import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { api, queryClient } from '../../lib/client.ts';
import { fieldErrors } from '../../lib/errors.ts';
import { setSession, setSessionUser, useUser } from '../../lib/session.ts';
import { type Theme, useTheme } from '../../lib/theme.ts';
import { useTitle } from '../../lib/title.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { Field, Input } from '../../ui/field.tsx';
import { ErrorBlock } from '../../ui/note.tsx';
import { TimezoneField } from '../../ui/timezone-field.tsx';
import { announce, announceError } from '../../ui/toast.tsx';
import { PageHead } from './page-head.tsx';

/** The reader's own profile, how the pages look, and the way out on every device. */
export function ClientSettingsPage() {
  const user = useUser();
  useTitle('Settings', user.partner.name);
  return (
    <>
      <PageHead title="Settings" lead={user.email} />
      <div className="grid max-w-[620px] gap-12">
        <Profile />
        <Appearance />
        <Devices />
      </div>
    </>
  );
}

function Profile() {
  const user = useUser();
  const [fullName, setFullName] = useState(user.fullName);
  const [timezone, setTimezone] = useState(user.timezone);
  const save = useMutation({
    mutationFn: () => api.updateMe({ body: { fullName: fullName.trim(), timezone } }),
    onSuccess: (next) => {
      setSessionUser(next);
      void queryClient.invalidateQueries({ queryKey: ['me'] });
      announce('Your profile is saved.');
    },
  });
  const errors = fieldErrors(save.error);
  const isChanged = fullName.trim() !== user.fullName || timezone !== user.timezone;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (!save.isPending && isChanged) save.mutate();
  };
  return (
    <section>
      <div className="section-head">
        <h2>Profile</h2>
      </div>
      <form onSubmit={submit} className="grid gap-5 pt-5">
        {save.error && Object.keys(errors).length === 0 ? <ErrorBlock error={save.error} /> : null}
        <Field label="Your name" error={errors['fullName']}>
          {(ids) => (
            <Input
              {...ids}
              size="lg"
              required
              maxLength={120}
              autoComplete="name"
              value={fullName}
              onChange={(event) => setFullName(event.target.value)}
            />
          )}
        </Field>
        <TimezoneField size="lg" value={timezone} onChange={setTimezone} error={errors['timezone']} />
        <div>
          <Button size="lg" kind="primary" type="submit" inactive={!isChanged} busy={save.isPending && 'Saving'}>
            Save profile
          </Button>
        </div>
      </form>
    </section>
  );
}

const THEMES: readonly { value: Theme; label: string; hint: string }[] = [
  { value: 'system', label: 'Same as the device', hint: 'Light by day, dark by night, if your device does so' },
  { value: 'light', label: 'Light', hint: 'Always dark words on a light ground' },
  { value: 'dark', label: 'Dark', hint: 'Always light words on a dark ground' },
];

/** The choice holds at once on this device and is kept with the account for the next one. */
function Appearance() {
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
    <section>
      <div className="section-head">
        <h2 id="theme-head">Appearance</h2>
      </div>
      <div role="radiogroup" aria-labelledby="theme-head">
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
              <span className="text-sm text-ink-3">{hint}</span>
            </span>
          </label>
        ))}
      </div>
    </section>
  );
}

function Devices() {
  const [isAsking, setAsking] = useState(false);
  const leave = useMutation({
    mutationFn: () => api.logoutAll(),
    onSuccess: () => {
      queryClient.clear();
      setSession(undefined);
      location.assign('/login');
    },
    onError: (error) => announceError(error),
  });
  return (
    <section>
      <div className="section-head">
        <h2>Devices</h2>
      </div>
      <div className="flex flex-wrap items-center gap-4 pt-4">
        <p className="min-w-0 flex-1 basis-[260px] text-ink-2">
          Lost a phone, or logged in on somebody else’s computer? End every session, this one too.
        </p>
        <Button size="lg" kind="danger-text" onClick={() => setAsking(true)}>
          Sign out everywhere
        </Button>
      </div>
      <ConfirmDialog
        open={isAsking}
        onClose={() => setAsking(false)}
        title="Sign out everywhere?"
        action="Sign out everywhere"
        keep="Stay signed in"
        busy={leave.isPending && 'Signing out'}
        onConfirm={() => leave.mutate()}
      >
        <p>Every device has to log in again, this one too. Your agents keep working.</p>
      </ConfirmDialog>
    </section>
  );
}
