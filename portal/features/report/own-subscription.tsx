import { useMutation, useQuery } from '@tanstack/react-query';
import { api } from '../../app/api.ts';
import { useIsViewing } from '../../app/current-user.ts';
import { useMessages } from '../../app/messages.ts';
import { queryClient } from '../../app/query-client.ts';
import { useUser } from '../../app/session.ts';
import { type Recipient, recipientsQuery } from './queries.ts';
import { announceError } from '../../shared/announce-error.ts';
import { useMailed } from '../../shared/mailed.ts';
import { READ_ONLY } from '../../ui/controls/read-only.ts';
import { Switch } from '../../ui/controls/switch.tsx';
import { announce } from '../../ui/feedback/toast.tsx';

/** Whether the reader gets the report of this client by mail. Everyone decides that for themselves, moderators too. */
export function OwnSubscription({ clientId }: { clientId: string }) {
  const { t } = useMessages();
  const user = useUser();
  const isViewing = useIsViewing();
  const mailed = useMailed();
  const { data } = useQuery(recipientsQuery(clientId));
  const own = data?.find((one) => one.userId === user.id);
  const save = useSubscription(clientId, (saved) =>
    announce(saved.isSubscribed ? mailed(t('report-page.subscribed'), t('common.noMail')) : t('report-page.unsubscribed')),
  );
  if (!own) return null;
  const label = t('report-page.by-mail');
  return (
    <div className="flex items-center gap-4 py-2">
      <div className="min-w-0 flex-1">
        <p className="font-medium">{label}</p>
        <p className="text-ink-2 [overflow-wrap:anywhere]">
          {mailed(t('report-page.by-mail-hint', { email: own.email }), t('common.noMail'))}
        </p>
      </div>
      <Switch
        label={label}
        checked={own.isSubscribed}
        onChange={(isSubscribed) => save.mutate({ userId: own.userId, isSubscribed })}
        {...(isViewing ? { disabledReason: READ_ONLY } : {})}
      />
    </div>
  );
}

/** Saves who gets the report; the list shows it at once, and again what was saved when that failed. */
export function useSubscription(clientId: string, onSaved: (saved: Recipient) => void) {
  const { queryKey } = recipientsQuery(clientId);
  const store = (change: Pick<Recipient, 'userId'> & Partial<Recipient>): void => {
    queryClient.setQueryData(queryKey, (list) => list?.map((one) => (one.userId === change.userId ? { ...one, ...change } : one)));
  };
  return useMutation({
    mutationFn: ({ userId, isSubscribed }: { userId: string; isSubscribed: boolean }) =>
      api.putReportRecipient({ params: { id: clientId, userId }, body: { isSubscribed } }),
    onMutate: (change) => store(change),
    onSuccess: (saved) => {
      store(saved);
      onSaved(saved);
    },
    onError: (error, { userId, isSubscribed }) => {
      store({ userId, isSubscribed: !isSubscribed });
      announceError(error);
    },
  });
}
