import { LIMITS } from '@partner-portal/contract/vocabulary.ts';
import { ZxcvbnFactory } from '@zxcvbn-ts/core';
import { adjacencyGraphs, dictionary } from '@zxcvbn-ts/language-common';

/** Why a password is refused, with the sentence shown. */
export type PasswordProblem = { code: 'too_short' | 'too_long' | 'is_address' | 'too_common' | 'too_simple'; message: string };
/** `score` runs from 0 (guessed at once) to 4 (very hard to guess); `problem` is null when the password is accepted. */
export type PasswordAssessment = { score: number; problem: PasswordProblem | null };

/** Only this much is scored: the rest costs time and changes no result. */
const SCORED_LENGTH = 64;
const COMMON: readonly (string | null)[] = ['topTen', 'topHundred', 'common', 'similarToCommon'];

let estimator: ZxcvbnFactory | undefined;

/**
 * Assesses a new password: 8 to 128 characters, not the e-mail address, not one of the most common; no composition rules. zxcvbn
 * decides what is common or simple: fewer than a million guesses, or a decorated common password. Browser-safe, so that a form and
 * the server agree; it loads half a megabyte of common passwords, so the portal imports it lazily.
 */
export function assessPassword(password: string, email: string): PasswordAssessment {
  if (password.length < LIMITS.passwordLengthMin)
    return { score: 0, problem: { code: 'too_short', message: `Use at least ${LIMITS.passwordLengthMin} characters.` } };
  const address = email.toLowerCase();
  const [name = ''] = address.split('@');
  const { score, feedback } = estimate(password.slice(0, SCORED_LENGTH), [address, name]);
  return { score, problem: problemOf(password, address, name, score, feedback.warning) };
}

/** Returns why the password is refused, or null when it is accepted. */
export function passwordProblem(password: string, email: string): PasswordProblem | null {
  return assessPassword(password, email).problem;
}

function problemOf(password: string, address: string, name: string, score: number, warning: string | null): PasswordProblem | null {
  if (password.length > LIMITS.passwordLengthMax)
    return { code: 'too_long', message: `Use at most ${LIMITS.passwordLengthMax} characters.` };
  const plain = password.toLowerCase();
  if (plain === address || (name.length >= 4 && lettersOf(plain) === lettersOf(name)))
    return { code: 'is_address', message: 'Do not use your e-mail address as your password.' };
  if (score <= 2 && COMMON.includes(warning))
    return { code: 'too_common', message: 'This password is one of the first an attacker would try. Choose another.' };
  if (score <= 1) return { code: 'too_simple', message: 'This password is easy to guess. Make it longer, or choose another.' };
  return null;
}

function estimate(password: string, own: string[]) {
  estimator ??= new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs });
  return estimator.check(password, own);
}

/** Strips decoration: `maya.lindqvist2026!` becomes `maya.lindqvist`. */
function lettersOf(text: string): string {
  return text.replace(/^[^a-z]+|[^a-z]+$/g, '');
}
