import { parse } from 'tldts';

/** Names that people type and the service puts into mails to others. See docs/behaviour/mail.md. */

export type NameProblem = { code: 'has_address' | 'has_encoded_word'; message: string };

/** Format characters that hide in a text: zero-width marks, joiners, direction marks. */
const INVISIBLE = /\p{Cf}/gu;
/** Signs that a resolver of names, or a reader, takes for a dot; NFKC folds most others. */
const DOTS = /[。․﹒．｡]/gu;
/** What stands before a sign of an address is looked for behind the sign: a long word would be read to its end from each of its letters. */
const SCHEME = /:\/\/(?<=[a-z][a-z0-9+.-]*:\/\/)|\b(?:https?|mailto|tel|sms|ftp|data|javascript):/u;
const WWW = /(?<![\p{L}\p{N}])www\d?\./u;
const EMAIL = /[^\s@]@[^\s@]+\.[^\s@]/u;
const IPV4 = /(?<!\d)\d{1,3}(?:\.\d{1,3}){3}(?!\d)/u;
/** Words joined by dots, from the first dot on. */
const DOTTED = /\.(?<=[\p{L}\p{N}][\p{L}\p{M}\p{N}-]*\.)[\p{L}\p{N}][\p{L}\p{M}\p{N}-]*(?:\.[\p{L}\p{N}][\p{L}\p{M}\p{N}-]*)*/gu;
/** Degrees that end like a domain (`.sc`, `.tech`, `.med`, `.vet` and `.ing` are top-level domains). */
const DEGREES = /(?<![\p{L}\p{N}.-])(?:[bm]\.(?:sc|tech)|(?:dr|dipl)\.(?:sc|med|vet|ing))(?![\p{L}\p{N}-])/gu;
/** Top-level domains without owners (RFC 2606, RFC 6761, RFC 9476), which read like others. */
const RESERVED = new Set(['example', 'test', 'invalid', 'localhost', 'local', 'internal', 'onion', 'alt', 'arpa']);
const DOMAIN_WITH_PATH = /[\p{L}\p{N}]\.(?:xn--[a-z0-9-]+|\p{L}{2,})(?:[/?#]|:\d)/u;
const HAS_ENCODED_WORD: NameProblem = {
  code: 'has_encoded_word',
  message: 'A name cannot contain a text encoded for mail headers (=?…?=).',
};
/** Digits of a phone number; a name has fewer. */
const PHONE_DIGITS = 7;

/**
 * Returns why a person's name is refused: it holds a web address, e-mail address, phone number, an encoded word, or a domain, as mail programs link them:
 * words joined by a dot before a top-level domain (`evil.com`, `Dr.Li`), not `J.Smith` or `Md.Rahman`. Mails break such links too (`unlinked`).
 */
export function personNameProblem(name: string): NameProblem | null {
  const text = fold(name);
  if (hasEncodedWord(name)) return HAS_ENCODED_WORD;
  if (hasAddressOrDomain(name))
    return { code: 'has_address', message: 'A name cannot contain a web or e-mail address. Put a space after a dot.' };
  if ((text.match(/\p{Nd}/gu) ?? []).length >= PHONE_DIGITS)
    return { code: 'has_address', message: 'A name cannot contain a phone number.' };
  return null;
}

/**
 * Returns why the name of an agency or a business is refused: it holds a web address, an e-mail address or an encoded word. A dot is allowed,
 * because many brands have one ("Booking.com Repairs"); mails show such a name so that it does not become a link (`unlinked`).
 */
export function businessNameProblem(name: string): NameProblem | null {
  const text = fold(name);
  if (hasEncodedWord(name)) return HAS_ENCODED_WORD;
  if (!hasAddress(text) && !DOMAIN_WITH_PATH.test(text)) return null;
  return {
    code: 'has_address',
    message: 'A name cannot contain a web or e-mail address. A name with a dot is allowed if it has no "www." and no path.',
  };
}

/** Returns whether a text holds a web address, an e-mail address, or a domain that readers could take for a link. */
export function hasAddressOrDomain(text: string): boolean {
  const folded = fold(text);
  return hasAddress(folded) || hasDomain(folded);
}

/**
 * Returns whether a text holds an encoded word, which a mail program decodes in a header (RFC 2047), where it could show another name or
 * address.
 */
export function hasEncodedWord(text: string): boolean {
  const folded = fold(text);
  const start = folded.indexOf('=?');
  return start !== -1 && folded.includes('?=', start + 2);
}

const JOINER = '\u2060';

/** Returns the text so that mail programs make no link of it: the characters that join an address (such as `.`, `@` and `:`) are surrounded by invisible word joiners. */
export function unlinked(text: string): string {
  return text.replace(/(?<=\S)[.@:。․﹒．｡](?=\S)/gu, `${JOINER}$&${JOINER}`);
}

/** A top-level domain of two letters counts at the end only: `Md.Al.Amin` is a name. */
function hasDomain(text: string): boolean {
  // A word in place of a degree, so that `m.sc.com` stays a domain.
  const words = text.replace(DEGREES, 'degree').match(DOTTED) ?? [];
  return words.some((word) => {
    const labels = word.split('.').slice(1);
    return labels.some((label, at) => (at === labels.length - 1 || label.length > 2) && isTopLevel(label));
  });
}

function isTopLevel(label: string): boolean {
  return RESERVED.has(label) || label.startsWith('xn--') || parse(`a.${label}`).isIcann === true;
}

function hasAddress(text: string): boolean {
  return [SCHEME, WWW, EMAIL, IPV4].some((pattern) => pattern.test(text));
}

function fold(name: string): string {
  return name.normalize('NFKC').replace(INVISIBLE, '').replace(DOTS, '.').toLowerCase();
}
