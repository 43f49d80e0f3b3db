import { AI_PROVIDERS } from '@partner-portal/contract/vocabulary.ts';
import { useMutation, type UseQueryResult } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { api } from '../../app/api.ts';
import { formatAgo, formatToMinute, formatNumber, joinWords, plural } from '../../ui/text/format.ts';
import { useIsSandbox, useRefusal } from '../../app/current-user.ts';
import { PROVIDERS } from '../../shared/labels.ts';
import { Button, buttonClass } from '../../ui/controls/button.tsx';
import { ConfirmDialog } from '../../ui/overlays/dialog.tsx';
import { Drawer } from '../../ui/overlays/drawer.tsx';
import { Field } from '../../ui/forms/field.tsx';
import { KeyValues } from '../../ui/layout/layout.tsx';
import { Note } from '../../ui/feedback/note.tsx';
import { Select } from '../../ui/forms/select.tsx';
import { SkeletonRows } from '../../ui/feedback/skeleton.tsx';
import { Status } from '../../ui/feedback/badge.tsx';
import { announce } from '../../ui/feedback/toast.tsx';
import { announceError } from '../../shared/announce-error.ts';
import { Loaded } from '../../shared/loaded.tsx';
import { type ClientChoices, withFirst } from '../../shared/choices.ts';
import { KeyForm } from './key-form.tsx';
import type { Credential, Requirement, Stored, Tested } from '../../queries/credentials.ts';
import { refreshAfter } from '../../queries/refresh.ts';
import '../../ui/layout/section-header.css';

type Props = {
  provider: Stored;
  clientId: string | undefined;
  /** Name of that client; absent until it is loaded. */
  ownerName: string | undefined;
  /** Possible owners of a key; absent when the drawer is for one client. */
  owners?: ClientChoices;
  onOwner?: (clientId: string | undefined) => void;
  credentials: readonly Credential[];
  requirements: readonly Requirement[];
  /** The requirements of the owner, where `requirements` may not list its agents. */
  ofOwner?: Pick<UseQueryResult<Requirement[]>, 'data' | 'error' | 'refetch'> | undefined;
  /** Agents that need the service, where `requirements` may not list all owners. */
  agents?: number | undefined;
  onClose: () => void;
};

export const AGENCY = 'agency';

/** Language models, which chatbots use as well as agents. */
const CHATBOT_PROVIDERS: ReadonlySet<string> = new Set(AI_PROVIDERS);

const focusAnswer = (answer: HTMLElement | null): void => answer?.focus();

/** One service: saves, tests and removes its key, and lists the agents that need it. */
export function KeyDrawer({ provider, clientId, ownerName, owners, onOwner, credentials, requirements, ofOwner, agents, onClose }: Props) {
  const rows = credentials.filter((row) => row.provider === provider);
  const own = rows.find((row) => (row.clientId ?? undefined) === clientId && !row.inherited);
  const inherited = clientId ? (rows.find((row) => row.inherited) ?? rows.find((row) => row.clientId === null)) : undefined;
  const { name, kind } = PROVIDERS[provider];
  const needsIn = (all: readonly Requirement[]): ReactNode => (
    <Needs
      needs={all.filter((need) => need.provider === provider && (!clientId || need.clientId === clientId))}
      agents={agents}
      chatbots={CHATBOT_PROVIDERS.has(provider)}
    />
  );
  return (
    <Drawer open onClose={onClose} title={name} meta={`${kind}, ${clientId ? `for ${ownerName ?? '…'}` : 'agency default'}`}>
      <div className="grid gap-5">
        {owners && onOwner ? (
          <Field label="Whose key">
            {(ids) => (
              <Select
                {...ids}
                label="Whose key"
                value={clientId ?? AGENCY}
                onChange={(value) => onOwner(value === AGENCY ? undefined : value)}
                {...withFirst({ value: AGENCY, label: 'Agency default', hint: 'for all clients without their own' }, owners)}
              />
            )}
          </Field>
        ) : null}
        {clientId && !own && inherited ? <AgencyDefault row={inherited} provider={provider} /> : null}
        <OwnKey key={`${provider} ${clientId ?? AGENCY}`} provider={provider} clientId={clientId} row={own} />
        {ofOwner ? (
          <Loaded query={ofOwner} skeleton={<SkeletonRows rows={2} />}>
            {needsIn}
          </Loaded>
        ) : (
          needsIn(requirements)
        )}
      </div>
    </Drawer>
  );
}

/** The key that a client without its own one uses; a refused one is replaced where it is, for every client that uses it. */
function AgencyDefault({ row, provider }: { row: Credential; provider: Stored }) {
  if (row.lastCheck?.ok !== false) return <Note tone="ok">This client uses the agency default. Add its own key to override it.</Note>;
  return (
    <Note
      tone="bad"
      action={
        <Link to="/dashboard/integrations" search={{ service: provider, client: undefined }} className={buttonClass('default', 'sm')}>
          Replace the agency default
        </Link>
      }
    >
      <b>This client uses the agency default, which {PROVIDERS[provider].name} refused.</b> Replace it for all clients, or add a key of this
      client below.
    </Note>
  );
}

type OwnKeyProps = { provider: Stored; clientId: string | undefined; row: Credential | undefined };

/** The key of one owner for one service, with the last answer about it: another key begins without one. */
function OwnKey({ provider, clientId, row }: OwnKeyProps) {
  const [result, setResult] = useState<Tested>();
  const isSandbox = useIsSandbox();
  return (
    <>
      <KeyForm key={row?.sourceMode ?? ''} provider={provider} clientId={clientId} row={row} onSaved={setResult} />
      {result ? (
        // The button that saved is gone, so the focus goes where the answer is.
        <div ref={focusAnswer} key={result.message} tabIndex={-1} className="outline-0">
          <Note tone={result.ok ? 'ok' : result.ok === null ? 'warn' : 'bad'} alert={!result.ok}>
            {result.ok ? (
              result.message
            ) : (
              <>
                <b>The key is saved, but {result.ok === null ? 'was not tested' : 'does not work'}.</b> {result.message}
                {result.ok === false && isSandbox && provider !== 'postgres'
                  ? ' This is the sandbox, which accepts keys that contain the word “sandbox”.'
                  : null}
              </>
            )}
          </Note>
        </div>
      ) : null}
      {row ? <StoredKey row={row} provider={provider} clientId={clientId} hasResult={result !== undefined} onResult={setResult} /> : null}
    </>
  );
}

const LIVE: Record<Credential['live'], string> = {
  live: 'in use',
  pending: 'saved, not yet live',
  unused: 'no installed agent uses it',
};

const TLS: Record<NonNullable<Credential['tls']>, { words: string; mark: 'ok' | 'warn' }> = {
  verified: { words: 'TLS, certificate verified', mark: 'ok' },
  not_verified: { words: 'TLS, certificate not verified: as you chose', mark: 'warn' },
  untested: { words: 'TLS, certificate not tested yet', mark: 'warn' },
  failed: { words: 'TLS, certificate not verified: save the key again', mark: 'warn' },
  off: { words: 'No TLS', mark: 'warn' },
};

function TlsStatus({ tls }: { tls: NonNullable<Credential['tls']> }) {
  const { words, mark } = TLS[tls];
  return (
    <Status mark={mark} {...(mark === 'warn' ? { tone: 'warn' as const } : {})}>
      {words}
    </Status>
  );
}

function StoredKey({
  row,
  provider,
  clientId,
  hasResult,
  onResult,
}: {
  row: Credential;
  provider: Stored;
  clientId: string | undefined;
  hasResult: boolean;
  onResult: (result: Tested | undefined) => void;
}) {
  const [isRemoving, setRemoving] = useState(false);
  const refusal = useRefusal('credentials.manage');
  const test = useMutation({
    mutationFn: () => api.testCredential({ params: { provider }, query: { clientId } }),
    onSuccess: (answer) => {
      onResult(answer);
      void refreshAfter('credentialsChanged');
    },
    onError: (error) => announceError(error),
  });
  const remove = useMutation({
    mutationFn: () => api.deleteCredential({ params: { provider }, query: { clientId } }),
    onSuccess: () => {
      setRemoving(false);
      onResult(undefined);
      announce(`${PROVIDERS[provider].name} key removed.`);
      void refreshAfter('credentialsChanged');
    },
    onError: (error) => announceError(error),
  });
  const check = row.lastCheck;
  const uses = usesOf(row);
  return (
    <section>
      <KeyValues
        rows={[
          [
            'Last check',
            check ? (
              <Status key="c" mark={check.ok ? 'ok' : 'bad'} {...(check.ok ? {} : { tone: 'bad' as const })}>
                {check.ok ? 'Working' : 'Refused'}, {formatAgo(check.at)}
              </Status>
            ) : (
              'never'
            ),
          ],
          row.tls ? ['Encryption', <TlsStatus key="t" tls={row.tls} />] : undefined,
          ['Now', row.live === 'unused' && row.usedByChatbots > 0 ? LIVE.live : LIVE[row.live]],
          ['Used by', joinWords(uses)],
          ['Last read by us', row.lastUsedAt ? formatToMinute(row.lastUsedAt) : 'never'],
        ]}
      />
      {check && !check.ok && !hasResult ? <p className="mt-1 text-bad">{check.message}</p> : null}
      <div className="mt-3 flex gap-2">
        <Button size="sm" disabledReason={refusal} busy={test.isPending && 'Testing'} onClick={() => test.mutate()}>
          Test now
        </Button>
        <Button size="sm" kind="danger-text" disabledReason={refusal} onClick={() => setRemoving(true)}>
          Remove
        </Button>
      </div>
      <ConfirmDialog
        open={isRemoving}
        onClose={() => setRemoving(false)}
        title={`Remove the ${PROVIDERS[provider].name} key?`}
        action="Remove"
        busy={remove.isPending && 'Removing'}
        onConfirm={() => remove.mutate()}
      >
        <b>{joinWords(uses)}</b> {row.usedByAgents + row.usedByChatbots === 1 ? 'uses' : 'use'} it.{' '}
        {clientId
          ? `The agency default is used instead if there is one; otherwise ${row.usedByChatbots > 0 ? 'runs fail and the chatbot stops answering' : 'runs fail'}.`
          : `Agents of clients without their own key will fail${row.usedByChatbots > 0 ? ', and their chatbots stop answering' : ''}.`}{' '}
        {row.sourceMode === 'byok' ? 'You cannot restore the key.' : 'You can choose the platform key again later.'}
      </ConfirmDialog>
    </section>
  );
}

/** "2 agents" and "1 chatbot"; chatbots only where there are some. */
function usesOf({ usedByAgents, usedByChatbots }: Credential): string[] {
  const chatbots = usedByChatbots > 0 ? [plural(usedByChatbots, 'chatbot')] : [];
  return usedByAgents > 0 || chatbots.length === 0 ? [plural(usedByAgents, 'agent'), ...chatbots] : chatbots;
}

function Needs({ needs, agents, chatbots }: { needs: readonly Requirement[]; agents: number | undefined; chatbots: boolean }) {
  const listed = needs.reduce((sum, need) => sum + need.agents.length, 0);
  const total = agents ?? needs.reduce((sum, need) => sum + need.agentCount, 0);
  if (total === 0) return <p className="text-ink-3">No agent needs this service.{chatbots ? ' Chatbots answer with it.' : null}</p>;
  return (
    <section>
      <div className="section-header">
        <h3>Needed by</h3>
        {total > listed ? (
          <span className="text-ink-3">
            {listed === 0 ? plural(total, 'agent') : `${formatNumber(listed)} of ${plural(total, 'agent')}`}
          </span>
        ) : null}
      </div>
      <ul className="border-t border-line">
        {needs.flatMap((need) =>
          need.agents.map((agent) => (
            <li key={agent.id} className="flex items-baseline gap-3 border-b border-line-soft py-2">
              <span className="min-w-0 flex-1">
                <Link className="font-medium hover:underline" to="/dashboard/agents/$id" params={{ id: agent.id }}>
                  {agent.name}
                </Link>{' '}
                <span className="text-ink-3">{need.clientName}</span>
                <span className="block text-xs text-ink-3">{joinWords(agent.stepNames)}</span>
              </span>
              <Status mark={STATES[need.state].mark} {...(STATES[need.state].tone ? { tone: STATES[need.state].tone } : {})}>
                {STATES[need.state].word}
              </Status>
            </li>
          )),
        )}
      </ul>
    </section>
  );
}

const STATES: Record<Requirement['state'], { mark: 'ok' | 'bad' | 'warn'; word: string; tone?: 'bad' | 'warn' }> = {
  ok: { mark: 'ok', word: 'Own key' },
  inherited: { mark: 'ok', word: 'Agency default' },
  missing: { mark: 'warn', word: 'Missing', tone: 'warn' },
  failing: { mark: 'bad', word: 'Failing', tone: 'bad' },
};
