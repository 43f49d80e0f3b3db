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

type Props = { view: ServiceView; agency: string; onEdit: () => void };

/** One service: the credential in use, its state and its actions. */
export function ServiceRow({ view, agency, onEdit }: Props) {
  const { provider, own, agents } = view;
  const { name, kind } = PROVIDERS[provider];
  const [mark, words] = stateOf(view, agency);
  const refusal = useRefusal('credentials.manage');
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-3 border-b border-line-soft py-4">
      <ProviderIcon provider={provider} />
      <div className="min-w-0 flex-1 basis-[220px]">
        <h3 className="text-base">
          {name} <span className="font-normal text-ink-3">{kind}</span>
        </h3>
        <p className="flex items-start gap-2 text-ink-2">
          {mark ? <Mark kind={mark} className="mt-1" /> : null}
          <span className="min-w-0 break-words">{words}</span>
        </p>
        {agents.length > 0 ? <p className="text-sm text-ink-3">Used by {joinWords([...new Set(agents)])}</p> : null}
      </div>
      <div className="flex flex-wrap gap-2">
        {own && refusal === undefined ? <KeyActions view={view} agency={agency} /> : null}
        <Button disabledReason={refusal} onClick={onEdit}>
          {own ? 'Replace key' : 'Use own key'}
        </Button>
      </div>
    </li>
  );
}

function stateOf({ own, inherited, agents, state }: ServiceView, agency: string): [MarkKind | undefined, string] {
  if (own) {
    const saved = `Your key, saved ${formatDay(own.updatedAt)}`;
    if (own.lastCheck && !own.lastCheck.ok) return ['bad', `${saved}. ${own.lastCheck.message}`];
    return ['ok', own.lastCheck ? `${saved}, checked ${formatAgo(own.lastCheck.at)}` : saved];
  }
  if (inherited || state === 'inherited') return [state === 'failing' ? 'bad' : 'ok', `Provided by ${agency}`];
  if (state === 'failing') return ['bad', `Provided by ${agency}, not working`];
  return agents.length > 0 ? ['warn', 'Not connected. Your agents need it.'] : [undefined, 'Not connected'];
}

function KeyActions({ view: { provider, inherited }, agency }: { view: ServiceView; agency: string }) {
  const [isRemoving, setRemoving] = useState(false);
  const { name } = PROVIDERS[provider];
  const test = useMutation({
    mutationFn: () => api.testCredential({ params: { provider } }),
    onSuccess: (answer) => announce(answer.ok ? `${name} accepts your key.` : `${name} refused your key.`, { detail: answer.message }),
    onError: (error) => announceError(error),
    onSettled: () => void refreshAfter('clientCredentialsChanged'),
  });
  const remove = useMutation({
    mutationFn: () => api.deleteCredential({ params: { provider } }),
    onSuccess: () => {
      setRemoving(false);
      announce(`Your ${name} key is removed.`);
    },
    onError: (error) => announceError(error),
    onSettled: () => void refreshAfter('clientCredentialsChanged'),
  });
  return (
    <>
      <Button busy={test.isPending && 'Testing'} onClick={() => test.mutate()}>
        Test
      </Button>
      <Button kind="danger-text" onClick={() => setRemoving(true)}>
        Remove
      </Button>
      <ConfirmDialog
        open={isRemoving}
        onClose={() => setRemoving(false)}
        title={`Remove your ${name} key?`}
        action="Remove key"
        keep="Keep it"
        busy={remove.isPending && 'Removing'}
        onConfirm={() => remove.mutate()}
      >
        <p>
          {inherited ? `Your agents will use ${agency}’s key instead.` : 'Agents that need it stop working unless your agency has a key.'}{' '}
          You cannot restore the key.
        </p>
      </ConfirmDialog>
    </>
  );
}
