import { useMutation } from '@tanstack/react-query';
import { ArrowLeft } from 'lucide-react';
import { useEffect, useState } from 'react';
import { callMfaVerify } from './mfa-verify.ts';
import { codeOf, extension } from '../../lib/errors.ts';
import { plural } from '../../lib/format.ts';
import { Button } from '../../ui/button.tsx';
import { CodeBoxes } from '../../ui/code-boxes.tsx';
import { ErrorBlock, Note } from '../../ui/note.tsx';
import type { Challenge, SignedIn } from './login-form.tsx';

/** The challenge lives five minutes (specification, MFA challenge). */
const LIFE_SECONDS = 300;

/** Six digits from the authenticator app; sent by themselves with the sixth. */
export function MfaForm({
  challenge,
  onSession,
  onBack,
}: {
  challenge: Challenge;
  onSession: (session: SignedIn) => void;
  onBack: () => void;
}) {
  const [code, setCode] = useState('');
  const left = useSecondsLeft();
  const verify = useMutation({
    mutationFn: (token: string) => callMfaVerify({ tempToken: challenge.tempToken, token }),
    onSuccess: onSession,
    onError: () => setCode(''),
  });
  const isOver = left <= 0 || codeOf(verify.error) === 'mfa_challenge_expired' || codeOf(verify.error) === 'mfa_attempts_exhausted';
  return (
    <div className="grid gap-5">
      <div>
        <button type="button" className="mb-3 inline-flex items-center gap-2 text-sm text-ink-2" onClick={onBack}>
          <ArrowLeft className="icon-sm" aria-hidden />
          Back
        </button>
        <h1 className="text-2xl tracking-[-0.02em]">Enter the code from your app</h1>
        <p className="text-ink-2">
          For <b className="font-medium text-ink">{challenge.email}</b>. Open your authenticator app and type the six digits it shows.
        </p>
      </div>
      <CodeBoxes
        value={code}
        onChange={setCode}
        onComplete={(token) => verify.mutate(token)}
        bad={verify.isError}
        disabled={verify.isPending || isOver}
      />
      <Refusal error={verify.error} isOver={isOver} />
      {isOver ? (
        <Button kind="primary" size="lg" onClick={onBack}>
          Log in again
        </Button>
      ) : (
        <Button
          kind="primary"
          size="lg"
          inactive={code.length < 6}
          busy={verify.isPending && 'Checking'}
          onClick={() => verify.mutate(code)}
        >
          Continue
        </Button>
      )}
      {isOver ? null : (
        <p className="num text-right text-sm text-ink-3">
          Valid for {Math.floor(left / 60)}:{String(left % 60).padStart(2, '0')}
        </p>
      )}
    </div>
  );
}

function Refusal({ error, isOver }: { error: unknown; isOver: boolean }) {
  const code = codeOf(error);
  if (code === 'mfa_attempts_exhausted')
    return (
      <Note tone="bad" alert>
        <p>
          <b>Too many wrong codes.</b> Log in again to get new tries.
        </p>
      </Note>
    );
  if (isOver)
    return (
      <Note tone="warn" alert>
        <p>
          <b>This took longer than five minutes.</b> Log in again.
        </p>
      </Note>
    );
  if (!error) return null;
  if (code !== 'invalid_mfa_code') return <ErrorBlock error={error} />;
  const left = Number(extension(error, 'attemptsRemaining'));
  return (
    <Note tone="bad" alert>
      <p>
        <b>That code was not right.</b> It may have just changed; use the newest one.
      </p>
      {Number.isFinite(left) ? (
        <p className="mt-0.5 text-xs text-ink-2">{plural(left, 'try', 'tries')} left, then you log in again.</p>
      ) : null}
    </Note>
  );
}

function useSecondsLeft(): number {
  const [end] = useState(() => Date.now() + LIFE_SECONDS * 1000);
  const [left, setLeft] = useState(LIFE_SECONDS);
  useEffect(() => {
    const timer = setInterval(() => setLeft(Math.max(0, Math.round((end - Date.now()) / 1000))), 1000);
    return () => clearInterval(timer);
  }, [end]);
  return left;
}
