/** Names that people type and the service puts into mails to others. See docs/behaviour/mail.md. */

export type NameProblem = { code: 'has_address'; message: string };

/** Format characters that hide in a text: zero-width marks, joiners, direction marks. */
const INVISIBLE = /\p{Cf}/gu;
/** Signs that a resolver of names, or a reader, takes for a dot; NFKC folds most others. */
const DOTS = /[。․﹒．｡]/gu;
const SCHEME = /[a-z][a-z0-9+.-]*:\/\/|\b(?:https?|mailto|tel|sms|ftp|data|javascript):/u;
const WWW = /(?<![\p{L}\p{N}])www\d?\./u;
const EMAIL = /[^\s@]@[^\s@]+\.[^\s@]/u;
const IPV4 = /(?<!\d)\d{1,3}(?:\.\d{1,3}){3}(?!\d)/u;
/** A word, a dot and at least two letters, as in `evil.example`; not the dots of `J.R.R.` or `St. John`. */
const DOMAIN = /[\p{L}\p{N}]\.(?:xn--[a-z0-9-]+|\p{L}{2,})/u;
const DOMAIN_WITH_PATH = /[\p{L}\p{N}]\.(?:xn--[a-z0-9-]+|\p{L}{2,})(?:[/?#]|:\d)/u;
/** Digits of a phone number; a name has fewer. */
const PHONE_DIGITS = 7;

/** Returns why a person's name is refused: it holds a web address, domain, e-mail address or phone number. */
export function personNameProblem(name: string): NameProblem | null {
  const text = fold(name);
  if (hasAddressOrDomain(name))
    return { code: 'has_address', message: 'A name cannot contain a web or e-mail address. Put a space after a dot.' };
  if ((text.match(/\p{Nd}/gu) ?? []).length >= PHONE_DIGITS)
    return { code: 'has_address', message: 'A name cannot contain a phone number.' };
  return null;
}

/**
 * Returns why the name of an agency or a business is refused: it holds a web address or an e-mail address. A dot is allowed, because many
 * brands have one ("Booking.com Repairs"); mails show such a name so that it does not become a link (`unlinked`).
 */
export function businessNameProblem(name: string): NameProblem | null {
  const text = fold(name);
  if (!hasAddress(text) && !DOMAIN_WITH_PATH.test(text)) return null;
  return {
    code: 'has_address',
    message: 'A name cannot contain a web or e-mail address. A name with a dot is allowed if it has no "www." and no path.',
  };
}

/** Returns whether a text holds a web address, an e-mail address, or a domain that readers could take for a link. */
export function hasAddressOrDomain(text: string): boolean {
  const folded = fold(text);
  return hasAddress(folded) || DOMAIN.test(folded);
}

const JOINER = '\u2060';

/** Returns the text so that mail programs make no link of it: the characters that join an address (such as `.`, `@` and `:`) are surrounded by invisible word joiners. */
export function unlinked(text: string): string {
  return text.replace(/(?<=\S)[.@:。․﹒．｡](?=\S)/gu, `${JOINER}$&${JOINER}`);
}

function hasAddress(text: string): boolean {
  return [SCHEME, WWW, EMAIL, IPV4].some((pattern) => pattern.test(text));
}

function fold(name: string): string {
  return name.normalize('NFKC').replace(INVISIBLE, '').replace(DOTS, '.').toLowerCase();
}
