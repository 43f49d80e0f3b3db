import type { MessageKey } from '@partner-portal/messages/messages.ts';
import { useMessages } from '../../app/messages.ts';
import type { EmailPace, NotificationType } from '@partner-portal/contract/vocabulary.ts';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../app/api.ts';
import { queryClient } from '../../app/query-client.ts';
import { useIsViewing } from '../../app/current-user.ts';
import { useUser } from '../../app/session.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Note } from '../../ui/feedback/note.tsx';
import { Section } from '../../ui/layout/layout.tsx';
import { Select } from '../../ui/forms/select.tsx';
import { announce } from '../../ui/feedback/toast.tsx';
import { useIsMailOff } from '../../queries/service-readiness.ts';
import { announceError } from '../../shared/announce-error.ts';
import { useMailed } from '../../shared/mailed.ts';
import { type Preferences, preferencesQuery } from './queries.ts';
import { useLoaded } from '../../app/route-data.ts';

type Choice = { inApp: boolean; email: EmailPace };

/** In which ways a notification reaches the user, most first. */
const WAYS = [
  { value: 'bell-now', text: 'account.way-bell-now', inApp: true, email: 'now' },
  { value: 'mail-now', text: 'account.way-mail-now', inApp: false, email: 'now' },
  { value: 'bell-daily', text: 'account.way-bell-daily', inApp: true, email: 'daily' },
  { value: 'mail-daily', text: 'account.way-mail-daily', inApp: false, email: 'daily' },
  { value: 'bell', text: 'account.way-bell', inApp: true, email: 'off' },
  { value: 'none', text: 'account.way-none', inApp: false, email: 'off' },
] as const satisfies readonly (Choice & { value: string; text: MessageKey })[];

/** How notifications reach the user, as a short list; a change of one is saved immediately. */
export function NotificationPreferences({ size }: { size?: 'lg' }) {
  const { t } = useMessages();
  const isViewing = useIsViewing();
  const [isOpen, setOpen] = useState(false);
  const isMailOff = useIsMailOff();
  const mailed = useMailed();
  const preferences = useLoaded(preferencesQuery);
  const save = useMutation({
    mutationFn: (body: { [Type in NotificationType]?: Choice }) => api.putNotificationPreferences({ body }),
    onSuccess: (saved) => queryClient.setQueryData(preferencesQuery.queryKey, saved),
    onError: (error) => announceError(error),
  });
  const sample = useMutation({
    mutationFn: () => api.sendSampleNotification({}),
    onSuccess: () => announce(mailed(t('account.sampleSent'), t('account.sampleInBell'))),
    onError: (error) => announceError(error),
  });
  const rows = rowsOf(preferences);
  const alertMail =
    useUser().role === 'PARTNER'
      ? mailed('Alerts are e-mailed to those chosen under Settings › Alerts; of failing webhooks, to every admin too.')
      : '';
  return (
    <Section
      title={t('account.notifications')}
      className="max-w-form"
      aside={
        isViewing ? undefined : (
          <>
            <Button size={size ?? 'sm'} kind="quiet" onClick={() => sample.mutate()} busy={sample.isPending && t('ui.sending')}>
              {t('account.sample')}
            </Button>
            <Button size={size ?? 'sm'} onClick={() => setOpen(!isOpen)}>
              {t(isOpen ? 'account.done' : 'account.change')}
            </Button>
          </>
        )
      }
    >
      {isMailOff ? (
        <div className="mb-3">
          <Note tone="warn">{t('common.noMail')}</Note>
        </div>
      ) : null}
      {isOpen ? <Editor rows={rows} onChange={(type, choice) => save.mutate({ [type]: choice })} /> : <Summary rows={rows} />}
      {alertMail ? <p className="pt-2.5 text-ink-3 text-pretty">{alertMail}</p> : null}
    </Section>
  );
}

type Row = { type: NotificationType; choice: Choice; isFixed: boolean };

function rowsOf(preferences: Preferences): Row[] {
  const entries = Object.entries(preferences) as [NotificationType, Preferences[NotificationType]][]; // keys of the contract's record
  return entries.flatMap(([type, choice]) => (choice ? [{ type, choice, isFixed: choice.emailFixed }] : []));
}

function wayOf({ inApp, email }: Choice): (typeof WAYS)[number] {
  return WAYS.find((way) => way.inApp === inApp && way.email === email) ?? WAYS[0];
}

/** What reaches the user in each way, one after the other as sentences. */
function Summary({ rows }: { rows: readonly Row[] }) {
  const { t } = useMessages();
  return (
    <dl className="border-t border-line">
      {WAYS.map((way) => {
        const mine = rows.filter(({ choice }) => wayOf(choice) === way);
        return mine.length === 0 ? null : (
          <div key={way.value} className="border-b border-line-soft py-2.5">
            <dt className="font-medium">{t(way.text)}</dt>
            <dd className="text-ink-2 text-pretty">{mine.map(({ type }) => `${t(`notifications.type-${type}`)}.`).join(' ')}</dd>
          </div>
        );
      })}
    </dl>
  );
}

function Editor({ rows, onChange }: { rows: readonly Row[]; onChange: (type: NotificationType, choice: Choice) => void }) {
  const { t } = useMessages();
  const mailed = useMailed();
  return (
    <ul className="border-t border-line">
      {rows.map(({ type, choice, isFixed }) => {
        const label = t(`notifications.type-${type}`);
        return (
          <li key={type} className="flex flex-wrap items-center gap-x-4 gap-y-1 border-b border-line-soft py-2">
            <span className="min-w-50 flex-1">
              {label}
              {isFixed ? <span className="block text-xs text-ink-3">{mailed(t('account.always'))}</span> : null}
            </span>
            <span className="w-52.5">
              <Select
                label={label}
                value={wayOf(choice).value}
                options={WAYS.filter(({ email }) => !isFixed || email === choice.email).map(({ value, text }) => ({
                  value,
                  label: t(text),
                }))}
                onChange={(next) => {
                  const way = WAYS.find(({ value }) => value === next);
                  if (way) onChange(type, { inApp: way.inApp, email: way.email });
                }}
              />
            </span>
          </li>
        );
      })}
    </ul>
  );
}
