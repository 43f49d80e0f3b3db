import { problemText, uiText, useUiText } from '../text/reader.ts';
import { LIMITS } from '@partner-portal/contract/vocabulary.ts';
import type { PasswordAssessment } from '@partner-portal/core/people/password.ts';
import { type ReactNode, useDeferredValue, useEffect, useState } from 'react';
import { Field, Input } from './field.tsx';

type Judge = (password: string, email: string) => PasswordAssessment;
const WORDS = ['ui.guessable', 'ui.guessable', 'ui.fair', 'ui.strong', 'ui.veryStrong'] as const;

type Props = {
  label: string;
  value: string;
  onChange: (value: string) => void;
  /** The user's address: a password that contains it is weak. */
  email: string;
  error: string | undefined;
  note?: ReactNode;
  size?: 'md' | 'lg';
  autoFocus?: boolean;
  'data-field'?: string;
};

/** A new password with its strength, by the server's rule. The list of common passwords is half a megabyte, so it is loaded on the first input. */
export function NewPasswordField({
  label,
  value,
  onChange,
  email,
  error,
  note = uiText('ui.atLeast8'),
  size = 'lg',
  autoFocus,
  ...rest
}: Props) {
  return (
    <Field label={label} note={note} hint={<Strength password={value} email={email} />} error={error}>
      {(ids) => (
        <Input
          {...ids}
          {...rest}
          size={size}
          type="password"
          required
          minLength={LIMITS.passwordLengthMin}
          maxLength={LIMITS.passwordLengthMax}
          autoComplete="new-password"
          autoFocus={autoFocus}
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  );
}

/** Shows the strength; the server applies the same rule and decides. */
function Strength({ password: typed, email }: { password: string; email: string }) {
  const t = useUiText();
  const password = useDeferredValue(typed);
  const judge = useJudge(typed !== '');
  if (password === '') return t('ui.fourWords');
  const { score, problem } = judge?.(password, email) ?? { score: 0, problem: null };
  const shown = problem ? Math.min(score, 1) : Math.max(score, 1);
  return (
    <span className="flex items-center gap-2" role="status">
      <span className="flex gap-1" aria-hidden>
        {[1, 2, 3, 4].map((at) => (
          <i key={at} className={`h-1 w-6 rounded-2xs ${shown >= at && judge ? (problem ? 'bg-warn-mark' : 'bg-ok-mark') : 'bg-line'}`} />
        ))}
      </span>
      {judge ? (problem ? textOf(problem) : t(WORDS[score] ?? 'ui.guessable')) : t('ui.checking')}
    </span>
  );
}

function textOf({ code, message }: NonNullable<PasswordAssessment['problem']>): string {
  return problemText(`password-${code}`, { min: LIMITS.passwordLengthMin, max: LIMITS.passwordLengthMax }) ?? message;
}

let loading: Promise<Judge> | undefined;

function useJudge(isWanted: boolean): Judge | undefined {
  const [judge, setJudge] = useState<Judge>();
  useEffect(() => {
    if (!isWanted || judge) return;
    loading ??= import('@partner-portal/core/people/password.ts').then((rules) => rules.assessPassword);
    let isGone = false;
    // Without the rules the form still works: the server reports the problem.
    loading.then(
      (loaded) => !isGone && setJudge(() => loaded),
      () => (loading = undefined),
    );
    return () => {
      isGone = true;
    };
  }, [isWanted, judge]);
  return judge;
}
