import { useLoginMessages } from '../../app/messages.ts';
import { ArrowLeft } from 'lucide-react';
import { useEffect, useState } from 'react';
import { formApi } from '../../app/api.ts';
import { codeOf, extension } from '../../app/errors.ts';
import { PlainButton } from '../../ui/controls/plain-button.tsx';
import { CodeBoxes } from '../../ui/forms/code-boxes.tsx';
import { TextField } from '../../ui/forms/field.tsx';
import { ErrorBlock } from '../../shared/error-block.tsx';
import { Form } from '../../shared/forms/form.tsx';
import { useForm } from '../../shared/forms/use-form.ts';
import { Note } from '../../ui/feedback/note.tsx';
import type { Challenge, SignedIn } from './login-form.tsx';

/** Lifetime of a challenge. */
const LIFE_SECONDS = 300;

type Props = { challenge: Challenge; onSession: (session: SignedIn) => void; onBack: () => void };

/** Second login step: a six-digit code, submitted with its sixth digit, or a recovery code. */
export function MfaForm({ challenge, onSession, onBack }: Props) {
  const { t } = useLoginMessages();
  const { tempToken } = challenge;
  const [isRecovering, setRecovering] = useState(false);
  const left = useSecondsLeft();
  const form = useForm({
    saved: { code: '' },
    send: ({ code: typed }) =>
      isRecovering
        ? formApi.recoverMfa({ body: { tempToken, recoveryCode: typed } })
        : formApi.verifyMfa({ body: { tempToken, token: typed } }),
    onSaved: onSession,
    onRefused: () => form.set({ code: '' }),
    keepValues: true,
  });
  const { code } = form.values;
  const setCode = (typed: string): void => form.set({ code: typed });
  const isOver =
    left <= 0 || ['mfa_challenge_expired', 'mfa_attempts_exhausted'].includes(codeOf(form.error) ?? '') || triesLeft(form.error) === 0;
  return (
    <Form form={form} hasSummary={false}>
      <div>
        <button type="button" className="mb-3 inline-flex min-h-8 items-center gap-2 text-sm text-ink-2" onClick={onBack}>
          <ArrowLeft className="icon-small" aria-hidden />
          {t('login.back')}
        </button>
        <h1 className="text-2xl tracking-figure">{isRecovering ? t('login.useRecovery') : t('login.enterCode')}</h1>
        <p className="text-ink-2">
          {t('login.forEmail', { email: challenge.email })} {isRecovering ? t('login.recoveryLead') : t('login.codeLead')}
        </p>
      </div>
      {isRecovering ? (
        <RecoveryField value={code} onChange={setCode} />
      ) : (
        <CodeBoxes
          value={code}
          onChange={setCode}
          onComplete={(typed) => form.sendNow({ code: typed })}
          bad={form.error !== null}
          disabled={form.isBusy || isOver}
        />
      )}
      <Refusal error={form.error} isOver={isOver} isRecovering={isRecovering} />
      {isOver ? (
        <PlainButton kind="primary" size="lg" onClick={onBack}>
          {t('login.again')}
        </PlainButton>
      ) : (
        <>
          <PlainButton kind="primary" size="lg" type="submit" inactive={code.length < 6} busy={form.isBusy && t('ui.checking')}>
            {t('login.continue')}
          </PlainButton>
          <div className="flex items-center text-sm">
            <button
              type="button"
              className="link inline-flex min-h-8 items-center"
              onClick={() => {
                setRecovering(!isRecovering);
                form.reset();
              }}
            >
              {isRecovering ? t('login.useApp') : t('login.useRecovery')}
            </button>
            <span className="tabular-nums ml-auto text-ink-3">
              {t('login.validFor', { time: `${Math.floor(left / 60)}:${String(left % 60).padStart(2, '0')}` })}
            </span>
          </div>
        </>
      )}
    </Form>
  );
}

function RecoveryField({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const { t } = useLoginMessages();
  return (
    <TextField
      label={t('login.recoveryCode')}
      hint={t('login.recoveryHint')}
      size="lg"
      mono
      autoFocus
      required
      maxLength={64}
      autoComplete="off"
      autoCapitalize="characters"
      spellCheck={false}
      value={value}
      onChange={onChange}
    />
  );
}

function triesLeft(error: unknown): number | undefined {
  const left = extension(error, 'attemptsRemaining');
  return typeof left === 'number' ? left : undefined;
}

function Refusal({ error, isOver, isRecovering }: { error: unknown; isOver: boolean; isRecovering: boolean }) {
  const { t } = useLoginMessages();
  const code = codeOf(error);
  const left = triesLeft(error);
  if (code === 'mfa_attempts_exhausted' || left === 0)
    return (
      <Note tone="bad" alert>
        <p>
          <b>{t('login.tooManyCodes')}</b> {t('login.againHint')}
        </p>
      </Note>
    );
  if (isOver)
    return (
      <Note tone="warn" alert>
        <p>
          <b>{t('login.tookLong')}</b> {t('login.againShort')}
        </p>
      </Note>
    );
  if (!error) return null;
  if (code !== 'invalid_mfa_code') return <ErrorBlock error={error} />;
  return (
    <Note tone="bad" alert>
      <p>
        <b>{t('login.codeWrong')}</b> {isRecovering ? t('login.eachOnce') : t('login.codesChange')}
      </p>
      {left === undefined ? null : <p className="mt-0.5 text-xs text-ink-2">{t('login.triesLeft', { count: left })}</p>}
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
