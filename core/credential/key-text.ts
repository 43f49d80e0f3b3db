/** Keys as people paste them. Every provider's keys are printable ASCII without spaces; nothing is straightened, since no one knows what was meant. */

/** Invisible characters: zero-width and soft characters, direction marks, variation selectors. */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu;
const SENDABLE = /^[\x21-\x7e]$/;

/** Returns the text without invisible characters and the space around it. */
export function cleanKey(text: string): string {
  return text.replace(INVISIBLE, '').trim();
}

/** Returns which character cannot be in a key, as a sentence with its position from 1; null when each can. */
export function keyFault(key: string): string | null {
  const characters = [...key];
  const at = characters.findIndex((one) => !SENDABLE.test(one));
  return at === -1 ? null : `Character ${at + 1} is ${nameOf(characters[at] ?? '')}.`;
}

/**
 * Returns a stored key as a header can carry it. One of an earlier version may hold a character that cannot be sent: its provider refuses the
 * key then, where otherwise the call would fail as if the provider could not be reached.
 */
export function sendableKey(key: string): string {
  return Array.from(cleanKey(key), (one) => (SENDABLE.test(one) ? one : '?')).join('');
}

const NAMES: readonly [RegExp, string][] = [
  [/[‘’‚‛“”„‟«»‹›]/u, 'a curly quote'],
  [/–/u, 'an en dash'],
  [/—/u, 'an em dash'],
  [/\p{Pd}|[\u2212]/u, 'a dash that is no hyphen'],
  [/…/u, 'an ellipsis'],
  [/[\n\r\u2028\u2029]/u, 'a line break'],
  [/\t/u, 'a tab'],
  [/\s/u, 'a space'],
  [/\p{Cc}/u, 'a control character'],
  [/\p{Default_Ignorable_Code_Point}/u, 'invisible'],
];

function nameOf(character: string): string {
  const known = NAMES.find(([pattern]) => pattern.test(character));
  if (known) return known[1];
  const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
  return `“${character}” (U+${code}), which is no plain letter, digit or sign`;
}
