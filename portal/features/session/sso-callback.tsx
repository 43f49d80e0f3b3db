import type { SsoProblem } from '@partner-portal/contract/vocabulary.ts';
import { useCallback, useEffect, useState } from 'react';
import { api, type Reply } from '../../app/api.ts';
import { codeOf } from '../../app/errors.ts';
import { explainSso, explainTest } from '../../shared/sso.ts';
import { lastAgency, ssoStart } from '../../shared/sso-start.ts';
import { buttonClass } from '../../ui/controls/plain-button.tsx';
import { Mark } from '../../ui/feedback/mark.tsx';
import { ErrorBlock } from '../../shared/error-block.tsx';
import { Note } from '../../ui/feedback/note.tsx';
import type { Arrival } from './sso-arrival.ts';

type Session = Reply<'exchangeSsoCode'>;

/** Codes are single-use: exchanges a code once, however often the component renders. */
let running: { code: string; answer: Promise<Session> } | undefined;
function exchangeOnce(code: string): Promise<Session> {
  if (running?.code !== code) running = { code, answer: api.exchangeSsoCode({ body: { code } }) };
  return running.answer;
}

/** Exchanges the code for a session. A lost connection can be retried, a used code cannot. */
export function CodeExchange({ code, onSession }: { code: string; onSession: (session: Session) => void }) {
  const [error, setError] = useState<unknown>();
  const exchange = useCallback(() => {
    setError(undefined);
    exchangeOnce(code).then(onSession, setError);
  }, [code, onSession]);
  useEffect(exchange, [exchange]);
  if (!error)
    return (
      <>
        <h1 className="text-2xl tracking-figure">Single sign-on</h1>
        <p className="mt-2 flex items-center gap-2.5 text-ink-2" role="status">
          <Mark kind="run" />
          Logging you in…
        </p>
      </>
    );
  if (codeOf(error) === 'invalid_credentials') return <Refused problem="expired" />;
  if (codeOf(error) === 'user_disabled') return <Refused problem="user_disabled" />;
  return (
    <div className="grid gap-5">
      <h1 className="text-2xl tracking-figure">Single sign-on</h1>
      <ErrorBlock
        error={error}
        onRetry={() => {
          running = undefined;
          exchange();
        }}
      />
      <WaysOn />
    </div>
  );
}

/** Explains why the SSO login failed and how to fix it. */
export function Refused({ problem, email, said }: { problem: SsoProblem; email?: string | undefined; said?: string | undefined }) {
  const { title, fix } = explainSso(problem, email);
  return (
    <div className="grid gap-5">
      <h1 className="text-2xl tracking-figure">{problem === 'logout_refused' ? 'Log-out failed' : 'Login failed'}</h1>
      <Note tone="bad" alert>
        <p>
          <b>{title}</b> {fix}
        </p>
        <ProviderWords said={said} />
      </Note>
      {problem === 'logout_refused' ? (
        <a className={buttonClass('primary', 'lg')} href="/login">
          Open the portal
        </a>
      ) : (
        <WaysOn canStartAgain={problem !== 'user_disabled'} />
      )}
    </div>
  );
}

/** A quotation: these words are not ours. */
function ProviderWords({ said }: { said: string | undefined }) {
  return said ? (
    <p className="mt-1 text-sm text-ink-2">
      Your provider wrote: <q>{said}</q>
    </p>
  ) : null;
}

function WaysOn({ canStartAgain = true }: { canStartAgain?: boolean }) {
  const slug = lastAgency();
  return (
    <div className="flex flex-wrap gap-2.5">
      {slug && canStartAgain ? (
        <a className={buttonClass('primary', 'lg')} href={ssoStart(slug)}>
          Start again
        </a>
      ) : null}
      <a className={buttonClass(slug && canStartAgain ? 'default' : 'primary', 'lg')} href="/login">
        Log in with a password
      </a>
    </div>
  );
}

/** Result of a test login, in its own tab. */
export function TestOutcome({ arrival }: { arrival: Extract<Arrival, { kind: 'tested' | 'problem' }> }) {
  const failure = arrival.kind === 'problem' ? explainTest(arrival.problem, arrival.email) : undefined;
  return (
    <div className="grid gap-5">
      <h1 className="text-2xl tracking-figure">{failure ? 'Test login failed' : 'Test login successful'}</h1>
      {failure ? (
        <Note tone="bad" alert>
          <p>
            <b>{failure.title}</b> {failure.fix}
          </p>
          <ProviderWords said={arrival.kind === 'problem' ? arrival.said : undefined} />
        </Note>
      ) : (
        <Note tone="ok">
          <p>
            <b>The connection is verified.</b> Your provider confirmed your e-mail address, and it matches your account.
          </p>
        </Note>
      )}
      <p className="text-ink-2">You can close this tab. The settings page shows your provider’s response.</p>
    </div>
  );
}
