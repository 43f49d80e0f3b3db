import { COMMON_WORDS } from './password-words.ts';

/** Why a password is not good enough, with the sentence a person gets. */
export type PasswordProblem = { code: 'too_short' | 'too_long' | 'is_address' | 'too_common' | 'too_simple'; message: string };

const MIN = 8;
const MAX = 128;
const ROWS = [
  'abcdefghijklmnopqrstuvwxyz',
  '01234567890',
  'qwertyuiop',
  'qwertzuiop',
  'azertyuiop',
  'asdfghjkl',
  'zxcvbnm',
  '1qaz2wsx3edc4rfv5tgb',
  'q1w2e3r4t5y6',
];
/** Substitutions that everybody knows, guessing programs included. */
const SPELLINGS: Readonly<Record<string, string>> = { '@': 'a', '4': 'a', '3': 'e', '1': 'i', '0': 'o', $: 's', '5': 's', '7': 't' };

/**
 * Judges a new password: 8 to 128 characters, not the address, not one of the most common; no composition rules
 * (product.md §5.1). Null when it is accepted. Browser-safe, so a form says the same as the server.
 */
export function passwordProblem(password: string, email: string): PasswordProblem | null {
  if (password.length < MIN) return { code: 'too_short', message: `Use at least ${MIN} characters.` };
  if (password.length > MAX) return { code: 'too_long', message: `Use at most ${MAX} characters.` };
  const plain = password.toLowerCase();
  if (isAddress(plain, email.toLowerCase())) return { code: 'is_address', message: 'Do not use your e-mail address as your password.' };
  if (isCommon(plain)) return { code: 'too_common', message: 'This password is one of the first that others would try. Choose another.' };
  if (isSimple(plain)) return { code: 'too_simple', message: 'Repeated or neighbouring characters are easy to guess. Choose another.' };
  return null;
}

function isAddress(plain: string, email: string): boolean {
  const [name = ''] = email.split('@');
  return plain === email || (name.length >= 4 && stripEnds(plain) === stripEnds(name));
}

/** `Summer2024!` is `summer`, `p@ssw0rd1` is `password`: the decoration adds nothing. */
function isCommon(plain: string): boolean {
  const bare = stripEnds(plain);
  return [plain, bare, spell(bare), stripEnds(spell(plain))].some((word) => COMMON_WORDS.has(word) || COMMON_WORDS.has(halfOf(word)));
}

function spell(text: string): string {
  return [...text].map((letter) => SPELLINGS[letter] ?? letter).join('');
}

function stripEnds(text: string): string {
  return text.replace(/^[^a-z]+|[^a-z]+$/g, '');
}

/** A word written twice is that word. */
function halfOf(text: string): string {
  const half = text.slice(0, text.length / 2);
  return half + half === text ? half : text;
}

function isSimple(plain: string): boolean {
  if (new Set(plain).size <= 2) return true;
  return ROWS.some((row) => isRun(plain, row) || isRun(plain, [...row].toReversed().join('')));
}

/** Whether the whole text walks along a row of keys, any number of times. */
function isRun(plain: string, row: string): boolean {
  if (row.repeat(2).includes(plain)) return true;
  const start = row.indexOf(plain.slice(0, 3));
  if (start === -1) return false;
  // The same piece again and again: `qweqweqwe`, `12341234`.
  for (let length = 3; length <= plain.length / 2; length++) {
    const piece = plain.slice(0, length);
    if (row.includes(piece) && piece.repeat(Math.ceil(plain.length / length)).startsWith(plain)) return true;
  }
  return false;
}
