import { PRODUCT_NAME } from '@partner-portal/contract/product.ts';
import { LIMITS } from '@partner-portal/contract/vocabulary.ts';
import { ZxcvbnFactory } from '@zxcvbn-ts/core';
import { adjacencyGraphs, dictionary } from '@zxcvbn-ts/language-common';

/** Why a password is refused, with the sentence shown. */
export type PasswordProblem = { code: 'too_short' | 'too_long' | 'is_address' | 'is_name' | 'too_common' | 'too_simple'; message: string };
/** `score` runs from 0 (guessed at once) to 4 (very hard to guess); `problem` is null when the password is accepted. */
export type PasswordAssessment = { score: number; problem: PasswordProblem | null };

/** Only this much is scored: the rest costs time and changes no result. */
const SCORED_LENGTH = 64;
const COMMON: readonly (string | null)[] = ['topTen', 'topHundred', 'common', 'similarToCommon'];

/** Returns the form of a password that is compared (RFC 8265): NFKC, so that keyboards that compose characters differently type the same one. */
export function normalizePassword(password: string): string {
  return password.normalize('NFKC');
}

let estimator: ZxcvbnFactory | undefined;

/**
 * Assesses a new password: 8 to 128 characters, not the e-mail address, not made of `names` (see `namesAround`), not one of the most common; no
 * composition rules. zxcvbn decides what is common or simple: fewer than a million guesses, or a decorated common password. Browser-safe, so that a form
 * and the server agree, but for the names, which the server knows; it loads half a megabyte of common passwords, so the portal imports it lazily.
 */
export function assessPassword(typed: string, email: string, names: readonly string[] = []): PasswordAssessment {
  const password = normalizePassword(typed);
  if (password.length < LIMITS.passwordLengthMin)
    return { score: 0, problem: { code: 'too_short', message: `Use at least ${LIMITS.passwordLengthMin} characters.` } };
  const address = email.toLowerCase();
  const [name = ''] = address.split('@');
  const words = names.flatMap(wordsOf);
  const { score, feedback } = estimate(password.slice(0, SCORED_LENGTH), [address, name, ...words]);
  const problem = problemOf(password, address, name, score, feedback.warning);
  if (problem?.code !== 'too_long' && problem?.code !== 'is_address' && isMadeOf(password, words))
    return {
      score,
      problem: { code: 'is_name', message: 'Do not build your password from a name that others know, such as that of your company.' },
    };
  return { score, problem };
}

/** Returns the names that an attacker would try first, for the last parameter of `passwordProblem`: those of the platform with its host, and the given ones. */
export function namesAround(baseUrl: string, names: readonly (string | null | undefined)[]): string[] {
  return [PRODUCT_NAME, new URL(baseUrl).hostname, ...names.filter((name) => typeof name === 'string')];
}

/** Returns why the password is refused, or null when it is accepted. */
export function passwordProblem(password: string, email: string, names: readonly string[] = []): PasswordProblem | null {
  return assessPassword(password, email, names).problem;
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

const WORD_LENGTH_MIN = 4;
/** With fewer other letters than this, a password is a decorated name. */
const OTHER_LETTERS_MIN = 4;
const LOOKS_LIKE: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '@': 'a',
  $: 's',
  '!': 'i',
};

function wordsOf(name: string): string[] {
  return plainOf(name)
    .split(/[^\p{L}\d]+/u)
    .filter((word) => word.length >= WORD_LENGTH_MIN);
}

/** Whether nothing much is left of the password without these words: `Northw1nd!2026` for Northwind. */
function isMadeOf(password: string, words: readonly string[]): boolean {
  const plain = plainOf(password);
  const letters = (text: string): string => text.replace(/[^\p{L}]+/gu, '');
  const read = letters(plain.replace(/[01345!7@$]/g, (sign) => LOOKS_LIKE[sign] ?? ''));
  return [letters(plain), read].some((text) => {
    // The longest first: a word may be part of another.
    const left = words.toSorted((a, b) => b.length - a.length).reduce((rest, word) => rest.replaceAll(letters(word), ''), text);
    return left.length < text.length && left.length < OTHER_LETTERS_MIN;
  });
}

/** In lower case without accents. */
function plainOf(text: string): string {
  return text
    .normalize('NFD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase();
}

/** Strips decoration: `maya.lindqvist2026!` becomes `maya.lindqvist`. */
function lettersOf(text: string): string {
  return text.replace(/^[^a-z]+|[^a-z]+$/g, '');
}
