import type { AuthMethod } from '@partner-portal/contract/vocabulary.ts';
import type { MessageKey } from '@partner-portal/messages/messages.ts';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Laptop, Smartphone } from 'lucide-react';
import { api, type Reply } from '../../app/api.ts';
import { useMessages } from '../../app/messages.ts';
import { sessionsQuery } from '../../queries/me.ts';
import { refreshAfter } from '../../queries/refresh.ts';
import { announceError } from '../../shared/announce-error.ts';
import { Loaded } from '../../shared/loaded.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { Badge } from '../../ui/feedback/badge.tsx';
import { SkeletonRows } from '../../ui/feedback/skeleton.tsx';
import { announce } from '../../ui/feedback/toast.tsx';
import { Time } from '../../ui/text/time.tsx';

type OpenSession = Reply<'listSessions'>[number];

const METHODS: Record<AuthMethod, MessageKey> = {
  password: 'account.byPassword',
  password_mfa: 'account.byCode',
  saml: 'account.bySso',
  oidc: 'account.bySso',
  view_as: 'account.bySso', // not listed
};
const PHONES = ['iOS', 'Android'];

/** The user's sessions, with a button to end each session except the current one. */
export function Sessions({ size }: { size: 'md' | 'lg' }) {
  const { t } = useMessages();
  const query = useQuery(sessionsQuery);
  return (
    <Loaded query={query} className="mb-4" skeleton={<SkeletonRows rows={2} height={52} label={t('account.loadingSessions')} />}>
      {(sessions) => (
        <div className="mb-5">
          <ul aria-label={t('account.sessions')}>
            {sessions.map((session) => (
              <SessionRow key={session.id} session={session} size={size} />
            ))}
          </ul>
          {sessions.some(({ isCurrent }) => !isCurrent) ? <EndOthers size={size} /> : null}
        </div>
      )}
    </Loaded>
  );
}

function SessionRow({ session, size }: { session: OpenSession; size: 'md' | 'lg' }) {
  const { t } = useMessages();
  const { browser, system, address, authMethod, isCurrent, lastUsedAt } = session;
  const device = browser && system ? t('account.browserOn', { browser, system }) : (browser ?? system ?? t('account.unknownDevice'));
  const end = useMutation({
    mutationFn: () => api.endSession({ params: { id: session.id } }),
    onSuccess: () => announce(t('account.sessionEnded', { device })),
    onError: (error) => announceError(error),
    // A session that has already ended is removed from the list too.
    onSettled: () => void refreshAfter('sessionsChanged'),
  });
  const Icon = system && PHONES.includes(system) ? Smartphone : Laptop;
  return (
    <li className="flex items-center gap-3 border-b border-line-soft py-2.5">
      <Icon className="icon-small flex-none text-ink-3" aria-hidden />
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-center gap-x-2 font-medium">
          {device}
          {isCurrent ? <Badge mark="ok">{t('account.thisSession')}</Badge> : null}
        </p>
        <p className="text-xs text-ink-3">
          {isCurrent ? null : (
            <>
              {t('account.lastUsed')} <Time iso={lastUsedAt} />,{' '}
            </>
          )}
          <span className="tabular-nums">{address}</span>, {t(METHODS[authMethod])}
        </p>
      </div>
      {isCurrent ? null : (
        <Button
          size={size === 'lg' ? 'lg' : 'sm'}
          aria-label={t('account.endSessionOf', { device })}
          busy={end.isPending && t('account.signingOut')}
          onClick={() => end.mutate()}
        >
          {t('account.endSession')}
        </Button>
      )}
    </li>
  );
}

function EndOthers({ size }: { size: 'md' | 'lg' }) {
  const { t } = useMessages();
  const end = useMutation({
    mutationFn: () => api.endOtherSessions(),
    onSuccess: ({ ended }) => announce(t('account.othersEnded', { count: ended })),
    onError: (error) => announceError(error),
    onSettled: () => void refreshAfter('sessionsChanged'),
  });
  return (
    <div className="mt-3">
      <Button size={size} busy={end.isPending && t('account.signingOut')} onClick={() => end.mutate()}>
        {t('account.endOthers')}
      </Button>
    </div>
  );
}
