import type { Json } from '../types.ts';
import { isEmail } from '../value-forms.ts';
import { only, plainText, type Reading, stripped, TEXT_LENGTH_MAX, unquoted } from './reading.ts';

/** RFC 5321, 4.5.3.1.3. */
const LENGTH_MAX = 254;

/** How many values of a list are looked at. */
const VALUES_MAX = 20;

/** Reads a mail address: one bare address, its domain in lower case and as punycode. Returns the first of several, of a list of its first values. */
export function readEmail(raw: Json): Reading {
  const value = only(raw);
  const texts = (Array.isArray(value) ? value.slice(0, VALUES_MAX) : [value]).flatMap((one) => plainText(one) ?? []);
  for (const text of texts.flatMap(addressesOf)) {
    const address = canonicalAddress(text);
    if (address !== null) return { value: address };
  }
  return { problem: 'is not a mail address' };
}

/**
 * Returns each mail address of a text, as a recipients field of a mail has them: canonical where it can be read, else as it came. A name with a comma
 * belongs to the address in angle brackets behind it.
 */
export function readEmails(text: string): string[] {
  const parts = (text.match(/(?:"[^"]*"|[^,;\n"]|"(?![^"]*"))+/g) ?? []).flatMap((part) => (/[<"]/.test(part) ? part : splitBare(part)));
  return parts.flatMap((part, at) => {
    if (part.trim() === '' || (!part.includes('@') && /@[^@]*>/.test(parts[at + 1] ?? ''))) return [];
    const reading = readEmail(part);
    return 'value' in reading ? String(reading.value) : part.trim();
  });
}

/** Addresses that blanks alone keep apart. */
function splitBare(part: string): string[] {
  const words = part.trim().split(/\s+/);
  return words.length > 1 && words.every((word) => word.includes('@')) ? words : [part];
}

/** Returns the candidates of a text in their order. A part with angle brackets gives the text inside them; a quoted name may hold anything, also an address. */
function addressesOf(text: string): string[] {
  if (text.length > TEXT_LENGTH_MAX) return [];
  const unnamed = text.replace(/"(?:[^"\\]|\\.)*(?:"\s*(<?))?/g, (found, next: string | undefined) => next || found);
  return unnamed.split(/[,;]/).flatMap((part) => {
    const bracketed = /<([^<>]*)>/.exec(part)?.[1];
    return (bracketed === undefined ? part.split(/\s+/) : [bracketed]).map(bare);
  });
}

function bare(text: string): string {
  const [address = ''] = unquoted(text)
    .replace(/^mailto:/i, '')
    .split('?');
  return stripped(address.trim(), '([', ')].').replace(/%40/, '@');
}

function canonicalAddress(text: string): string | null {
  if (!isEmail(text)) return null;
  const at = text.lastIndexOf('@');
  const domain = asciiDomain(text.slice(at + 1));
  const address = `${text.slice(0, at)}@${domain ?? ''}`;
  return domain !== null && address.length <= LENGTH_MAX && isEmail(address) ? address : null;
}

/** Punycode of a domain (UTS 46), in lower case; null when it is none. */
function asciiDomain(domain: string): string | null {
  if (/^[a-z\d.-]+$/i.test(domain)) return domain.toLowerCase();
  const address = `http://${domain}`;
  if (/[/?#@:\\%]/.test(domain) || !URL.canParse(address)) return null;
  return new URL(address).hostname;
}
