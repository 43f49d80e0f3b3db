import type { Messages } from '@partner-portal/messages/messages.ts';
import { useMessages } from '../../app/messages.ts';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../app/api.ts';
import { formatAgo, formatDay, joinWords } from '../../ui/text/format.ts';
import { useRefusal } from '../../app/current-user.ts';
import { PROVIDERS } from '../../shared/labels.ts';
import { Button } from '../../ui/controls/button.tsx';
import { ConfirmDialog } from '../../ui/overlays/dialog.tsx';
import { ProviderIcon } from '../../ui/identity/icons.tsx';
import { Mark, type MarkKind } from '../../ui/feedback/mark.tsx';
import { announce } from '../../ui/feedback/toast.tsx';
import { announceError } from '../../shared/announce-error.ts';
import type { ServiceView } from './services-queries.ts';
import { refreshAfter } from '../../queries/refresh.ts';
import { checkKey, checkText } from './check-text.ts';

type Props = { view: ServiceView; agency: string; onEdit: () => void };

/** One service: the credential in use, its state and its actions. */
export function ServiceRow({ view, agency, onEdit }: Props) {
  const messages = useMessages();
  const { t } = messages;
  const { provider, own, agents, hasChatbot } = view;
  const users = [...new Set(agents), ...(hasChatbot ? [t('trust.chatbot')] : [])];
  const { name } = PROVIDERS[provider];
  const [mark, words] = stateOf(view, agency, messages);
  const refusal = useRefusal('credentials.manage');
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-3 border-b border-line-soft py-4">
      <ProviderIcon provider={provider} />
      <div className="min-w-0 flex-1 basis-55">
        <h3 className="text-base">
          {provider === 'postgres' ? null : <>{name} </>}
          <span className={provider === 'postgres' ? undefined : 'font-normal text-ink-3'}>{t(`client.kind.${provider}`)}</span>
        </h3>
        <p className="flex items-start gap-2 text-ink-2">
          {mark ? <Mark kind={mark} className="mt-1" /> : null}
          <span className="min-w-0">{words}</span>
        </p>
        {users.length > 0 ? <p className="text-sm text-ink-3">{t('client.usedBy', { agents: joinWords(users) })}</p> : null}
      </div>
      <div className="flex flex-wrap gap-2">
        {own && refusal === undefined ? <KeyActions view={view} /> : null}
        <Button disabledReason={refusal} onClick={onEdit}>
          {own ? t('client.replaceKey') : t('client.ownKey')}
        </Button>
      </div>
    </li>
  );
}

function stateOf(
  { provider, own, inherited, agents, hasChatbot, state }: ServiceView,
  agency: string,
  messages: Messages,
): [MarkKind | undefined, string] {
  const { t } = messages;
  if (own) {
    const day = formatDay(own.updatedAt);
    const saved = t('client.keySaved', { day });
    if (own.lastCheck && !own.lastCheck.ok) return ['bad', `${saved}. ${checkText(messages, PROVIDERS[provider].name, own.lastCheck)}`];
    if (own.tls === 'failed' || own.tls === 'not_verified') return ['warn', t('client.tlsNotVerified', { saved })];
    return ['ok', own.lastCheck ? t('client.keyChecked', { day, ago: formatAgo(own.lastCheck.at) }) : saved];
  }
  // A service that nothing uses has no state.
  if (state === 'failing' || inherited?.lastCheck?.ok === false) return ['bad', t('client.providedFailing', { agency })];
  if (inherited?.configured && inherited.sourceMode === 'platform') return ['ok', t('client.providedShared')];
  if (inherited?.configured || state === 'inherited') return ['ok', t('client.provided', { agency })];
  return agents.length > 0 || hasChatbot ? ['warn', t('client.notConnectedNeeded')] : [undefined, t('client.notConnected')];
}

function KeyActions({ view: { provider, hasChatbot } }: { view: ServiceView }) {
  const { t, locale } = useMessages();
  const [isRemoving, setRemoving] = useState(false);
  const { name } = PROVIDERS[provider];
  const test = useMutation({
    mutationFn: () => api.testCredential({ params: { provider } }),
    onSuccess: (answer) => announce(t(checkKey(answer.ok), { service: name }), locale === 'en' ? { detail: answer.message } : {}),
    onError: (error) => announceError(error),
    onSettled: () => void refreshAfter('clientCredentialsChanged'),
  });
  const remove = useMutation({
    mutationFn: () => api.deleteCredential({ params: { provider } }),
    onSuccess: () => {
      setRemoving(false);
      announce(t('client.keyRemoved', { service: name }));
    },
    onError: (error) => announceError(error),
    onSettled: () => void refreshAfter('clientCredentialsChanged'),
  });
  return (
    <>
      <Button busy={test.isPending && t('client.testing')} onClick={() => test.mutate()}>
        {t('client.test')}
      </Button>
      <Button kind="danger-text" onClick={() => setRemoving(true)}>
        {t('client.remove')}
      </Button>
      <ConfirmDialog
        open={isRemoving}
        onClose={() => setRemoving(false)}
        title={t('client.removeKeyTitle', { service: name })}
        action={t('client.removeKey')}
        keep={t('ui.keepIt')}
        busy={remove.isPending && t('client.removing')}
        onConfirm={() => remove.mutate()}
      >
        <p>{t(hasChatbot ? 'client.removeWithChatbot' : 'client.removeOnly')}</p>
      </ConfirmDialog>
    </>
  );
}
