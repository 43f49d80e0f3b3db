import { useMutation, useQuery } from '@tanstack/react-query';
import { ExternalLink } from 'lucide-react';
import { useState } from 'react';
import { api } from '../../app/api.ts';
import { explainTest } from '../../shared/sso.ts';
import { Button, buttonClass } from '../../ui/controls/button.tsx';
import { KeyValues } from '../../ui/layout/layout.tsx';
import { Mark } from '../../ui/feedback/mark.tsx';
import { ErrorBlock } from '../../shared/error-block.tsx';
import { Note } from '../../ui/feedback/note.tsx';
import { Time } from '../../ui/text/time.tsx';
import { refreshAfter } from '../../queries/refresh.ts';
import { CopyValue } from './provider-guide.tsx';
import { type Connection, ssoQuery } from './queries.ts';

type Test = NonNullable<Connection['lastTest']>;
type Arrived = Pick<Test, 'claims' | 'signatures' | 'isEncrypted' | 'providerTime' | 'at'>;
const ASK_EVERY_MS = 3000;

/** Runs a test login in a new tab, without a session, and polls for the result. */
export function TestLogin({ connection, refusal }: { connection: Connection; refusal: string | undefined }) {
  const { lastTest, test } = connection;
  // Also after a reload, and when another admin runs it.
  const isWaiting = test?.status === 'in_progress';
  const hasTimedOut = test?.status === 'timed_out';
  const [link, setLink] = useState<string>();
  useQuery({ ...ssoQuery, refetchInterval: isWaiting ? ASK_EVERY_MS : false });
  const start = useMutation({
    mutationFn: (_tab: Window | null) => api.testSsoConnection(),
    onSuccess: ({ url }, tab) => {
      void refreshAfter('ssoConnectionChanged');
      // Fallback link for browsers that block the new tab.
      if (!tab || tab.closed) return setLink(url);
      tab.opener = null;
      tab.location.replace(url);
      setLink(undefined);
    },
    onError: (_error, tab) => tab?.close(),
  });
  const isDraft = connection.status === 'draft';
  return (
    <section className="grid gap-3 border-t border-line-soft pt-4">
      <div className="flex flex-wrap items-center gap-3">
        <p className="min-w-0 flex-1 basis-65 text-ink-2">
          {isDraft
            ? 'No one can log in through a draft. Log in at your provider once to verify the connection.'
            : 'Log in at your provider to see its response. This does not start a session.'}
        </p>
        <Button
          kind={isDraft ? 'primary' : 'default'}
          icon={<ExternalLink aria-hidden />}
          disabledReason={refusal}
          busy={start.isPending && 'Opening'}
          // Open the tab within the click handler, or the popup blocker stops it.
          onClick={() => start.mutate(window.open('about:blank', '_blank'))}
        >
          Run a test login
        </Button>
      </div>
      {start.error ? <ErrorBlock error={start.error} /> : null}
      {isWaiting ? (
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <p className="flex flex-1 items-center gap-2.5 text-ink-2" role="status">
            <Mark kind="run" />
            <span>
              Waiting for the test login in the other tab, started <Time iso={test.startedAt} />
            </span>
          </p>
          {link ? (
            <a className={buttonClass('default', 'sm')} href={link} target="_blank" rel="noopener">
              Open the tab
            </a>
          ) : null}
        </div>
      ) : hasTimedOut ? (
        <TimedOut connection={connection} startedAt={test.startedAt} />
      ) : lastTest ? (
        <Outcome test={lastTest} />
      ) : null}
    </section>
  );
}

/** No one came back: the provider showed its own error page, which says more than we can know. */
function TimedOut({ connection, startedAt }: { connection: Connection; startedAt: string }) {
  const { protocol, clientId, callbackUrl, acsUrl, entityId } = connection;
  return (
    <div className="grid gap-2.5">
      <Note tone="bad" alert>
        <p>
          <b>Your provider sent no response within five minutes.</b> If its page showed an error, it usually does not know{' '}
          {protocol === 'oidc' ? 'this redirect address or this client ID' : 'this entity ID or this ACS address'}. Compare these values
          with its settings, character by character, then run the test again.
        </p>
        <p className="mt-1 text-xs text-ink-2">
          Started <Time iso={startedAt} />
        </p>
      </Note>
      {protocol === 'oidc' ? (
        <>
          <CopyValue label="Redirect address" value={callbackUrl} />
          {clientId ? <CopyValue label="Client ID, as you entered it" value={clientId} /> : null}
        </>
      ) : (
        <>
          <CopyValue label="Entity ID and metadata" value={entityId} />
          <CopyValue label="Assertion Consumer Service (ACS)" value={acsUrl} />
        </>
      )}
    </div>
  );
}

function Outcome({ test }: { test: Test }) {
  const failure = test.problem ? explainTest(test.problem, test.email ?? undefined) : undefined;
  return (
    <div className="grid gap-2.5">
      <Note tone={test.ok ? 'ok' : 'bad'} alert={!test.ok}>
        <p>
          <b>{failure ? failure.title : 'Test login successful.'}</b> {failure?.fix}
        </p>
        {test.detail ? <p className="mt-1 text-sm">{test.detail}</p> : null}
        {test.providerSaid ? (
          <p className="mt-1 text-sm">
            Your provider wrote: <q>{test.providerSaid}</q>
          </p>
        ) : null}
        <p className="mt-1 text-xs text-ink-2">
          Tested <Time iso={test.at} />
        </p>
      </Note>
      <Received test={test} />
    </div>
  );
}

const VERDICTS: Record<Test['signatures'][number]['verdict'], string> = {
  verified: 'verified',
  key_unknown: 'by a key we do not know',
  altered: 'not of this text',
  unsupported: 'not supported',
  weak: 'refused, since it can be forged',
  malformed: 'not over the whole of it',
};
const SIGNED: Record<Test['signatures'][number]['over'], string> = { response: 'Response', assertion: 'Assertion', id_token: 'ID token' };

/** Everything that arrived, accepted or not: what to compare with the provider's settings. */
export function Received({ test: { claims, signatures, isEncrypted, providerTime, at } }: { test: Arrived }) {
  const named = Object.entries(claims);
  if (named.length === 0 && signatures.length === 0 && !providerTime) return null;
  return (
    <div className="grid gap-3">
      <div>
        <h3 className="text-xs font-medium text-ink-3">Signature and time</h3>
        <KeyValues
          rows={[
            ...signatures.map(
              ({ over, algorithm, key, verdict }) =>
                [
                  `${SIGNED[over]} signed`,
                  <span key={over} className="inline-block py-1.25 leading-5 break-all whitespace-normal">
                    {algorithm}, {VERDICTS[verdict]}
                    {key ? <span className="block text-xs text-ink-3">Key {key}</span> : null}
                  </span>,
                ] as const,
            ),
            isEncrypted ? (['Encrypted', 'yes'] as const) : undefined,
            providerTime ? (['Sent, by your provider’s clock', <Time key="p" iso={providerTime} />] as const) : undefined,
            providerTime ? (['Received, by ours', <Time key="o" iso={at} />] as const) : undefined,
          ]}
        />
      </div>
      {named.length > 0 ? (
        <div>
          <h3 className="text-xs font-medium text-ink-3">What your provider sent</h3>
          <KeyValues
            rows={named.map(
              ([name, value]) =>
                [
                  <code key="n" className="break-all">
                    {name}
                  </code>,
                  <span key="v" title={value}>
                    {value}
                  </span>,
                ] as const,
            )}
          />
        </div>
      ) : null}
    </div>
  );
}
