import { ZxcvbnFactory } from '@zxcvbn-ts/core';
import { adjacencyGraphs, dictionary } from '@zxcvbn-ts/language-common';

/** Why a password is not good enough, with the sentence a person gets. */
export type PasswordProblem = { code: 'too_short' | 'too_long' | 'is_address' | 'too_common' | 'too_simple'; message: string };
/** `score` is 0 (guessed at once) to 4 (very hard to guess), for a meter; `problem` says whether it is accepted at all. */
export type PasswordAssessment = { score: number; problem: PasswordProblem | null };

export const PASSWORD_LENGTH_MIN = 8;
export const PASSWORD_LENGTH_MAX = 128;
/** What is looked at; what follows only adds to it. Looking at more costs time and changes no answer. */
const JUDGED_LENGTH = 64;
const COMMON: readonly (string | null)[] = ['topTen', 'topHundred', 'common', 'similarToCommon'];

let estimator: ZxcvbnFactory | undefined;

/**
 * Judges a new password: 8 to 128 characters, not the address, not one of the most common; no composition rules
 * (product.md §5.1). What counts as common and as simple is zxcvbn's word: fewer than a million tries, or a common
 * password with decoration. Browser-safe, so a form says the same as the server; it loads half a megabyte of common
 * passwords, so the portal brings it in when a form needs it.
 */
export function assessPassword(password: string, email: string): PasswordAssessment {
  if (password.length < PASSWORD_LENGTH_MIN)
    return { score: 0, problem: { code: 'too_short', message: `Use at least ${PASSWORD_LENGTH_MIN} characters.` } };
  const address = email.toLowerCase();
  const [name = ''] = address.split('@');
  const { score, feedback } = estimate(password.slice(0, JUDGED_LENGTH), [address, name]);
  return { score, problem: problemOf(password, address, name, score, feedback.warning) };
}

/** Null when the password is accepted. */
export function passwordProblem(password: string, email: string): PasswordProblem | null {
  return assessPassword(password, email).problem;
}

function problemOf(password: string, address: string, name: string, score: number, warning: string | null): PasswordProblem | null {
  if (password.length > PASSWORD_LENGTH_MAX) return { code: 'too_long', message: `Use at most ${PASSWORD_LENGTH_MAX} characters.` };
  const plain = password.toLowerCase();
  if (plain === address || (name.length >= 4 && lettersOf(plain) === lettersOf(name)))
    return { code: 'is_address', message: 'Do not use your e-mail address as your password.' };
  if (score <= 2 && COMMON.includes(warning))
    return { code: 'too_common', message: 'This password is one of the first that others would try. Choose another.' };
  if (score <= 1) return { code: 'too_simple', message: 'This password is easy to guess. Make it longer, or choose another.' };
  return null;
}

function estimate(password: string, own: string[]) {
  estimator ??= new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs });
  return estimator.check(password, own);
}

/** `maya.lindqvist2026!` is `maya.lindqvist`: the decoration adds nothing. */
function lettersOf(text: string): string {
  return text.replace(/^[^a-z]+|[^a-z]+$/g, '');
}
