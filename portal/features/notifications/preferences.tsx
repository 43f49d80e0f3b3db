import type { MessageKey } from '@partner-portal/messages/messages.ts';
import { useMessages } from '../../app/messages.ts';
import { EMAIL_PACES, type EmailPace, type NotificationType } from '@partner-portal/contract/vocabulary.ts';
import { useMutation } from '@tanstack/react-query';
import { api } from '../../app/api.ts';
import { queryClient } from '../../app/query-client.ts';
import { useIsViewing } from '../../app/current-user.ts';
import { READ_ONLY } from '../../ui/controls/read-only.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Section } from '../../ui/layout/layout.tsx';
import { Select } from '../../ui/forms/select.tsx';
import { Switch } from '../../ui/controls/switch.tsx';
import { announce } from '../../ui/feedback/toast.tsx';
import { announceError } from '../../shared/announce-error.ts';
import { type Preferences, preferencesQuery } from './queries.ts';
import { useLoaded } from '../../app/route-data.ts';

type Choice = { inApp: boolean; email: EmailPace };
const PACES: Record<EmailPace, MessageKey> = { now: 'account.now', daily: 'account.daily', off: 'account.never' };

/** Bell and e-mail preferences per notification type. Each change is saved immediately. */
export function NotificationPreferences({ size }: { size?: 'lg' }) {
  const { t } = useMessages();
  const isViewing = useIsViewing();
  const preferences = useLoaded(preferencesQuery);
  const save = useMutation({
    mutationFn: (body: { [Type in NotificationType]?: Choice }) => api.putNotificationPreferences({ body }),
    onSuccess: (saved) => queryClient.setQueryData(preferencesQuery.queryKey, saved),
    onError: (error) => announceError(error),
  });
  const sample = useMutation({
    mutationFn: () => api.sendSampleNotification({}),
    onSuccess: () => announce(t('account.sampleSent')),
    onError: (error) => announceError(error),
  });
  return (
    <Section
      title={t('account.notifications')}
      className="max-w-[620px]"
      aside={
        isViewing ? undefined : (
          <Button size={size ?? 'sm'} onClick={() => sample.mutate()} busy={sample.isPending && t('account.sending')}>
            {t('account.sample')}
          </Button>
        )
      }
    >
      <Rows
        preferences={preferences}
        disabledReason={isViewing ? READ_ONLY : undefined}
        onChange={(type, choice) => save.mutate({ [type]: choice })}
      />
    </Section>
  );
}

type RowsProps = {
  preferences: Preferences;
  disabledReason: string | undefined;
  onChange: (type: NotificationType, choice: Choice) => void;
};

function Rows({ preferences, disabledReason, onChange }: RowsProps) {
  const { t } = useMessages();
  const rows = Object.entries(preferences) as [NotificationType, Preferences[NotificationType]][]; // keys of the contract's record
  return (
    <ul className="max-w-[620px] border-t border-line">
      {rows.map(([type, choice]) => {
        if (!choice) return null;
        const { inApp, email, emailFixed } = choice;
        const label = t(`notifications.type-${type}`);
        return (
          <li key={type} className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b border-line-soft py-2.5">
            <span className="min-w-[200px] flex-1">
              {label}
              {emailFixed ? <span className="block text-xs text-ink-3">{t('account.always')}</span> : null}
            </span>
            <span className="flex items-center gap-2 text-ink-2">
              <Switch
                checked={inApp}
                label={t('account.inBell', { name: label })}
                disabledReason={disabledReason}
                onChange={(next) => onChange(type, { inApp: next, email })}
              />
              <span aria-hidden>{t('account.bell')}</span>
            </span>
            <span className="w-[150px]">
              {emailFixed || disabledReason ? (
                <span className="text-ink-2">{t(PACES[email])}</span>
              ) : (
                <Select
                  label={t('account.byMail', { name: label })}
                  value={email}
                  options={EMAIL_PACES.map((pace) => ({ value: pace, label: t(PACES[pace]) }))}
                  onChange={(next) => onChange(type, { inApp, email: EMAIL_PACES.find((pace) => pace === next) ?? email })}
                />
              )}
            </span>
          </li>
        );
      })}
    </ul>
  );
}
