import type { Json } from '../types.ts';
import { plainText, type Reading, unquoted } from './reading.ts';

const LENGTH_MAX = 2_000;
const NO_ADDRESS: Reading = { problem: 'is not a web address' };

/** Reads a web address: absolute, http or https. Without a scheme it is https. Scheme and host are in lower case, without a port that goes without saying. */
export function readUrl(raw: Json): Reading {
  const text = typeof raw === 'number' ? null : plainText(raw);
  if (text === null || text.length > LENGTH_MAX) return NO_ADDRESS;
  const bare = unquoted(text.replace(/^<(.*)>$/, '$1'));
  if (bare === '' || /\s|[<>"]/.test(bare)) return NO_ADDRESS;
  const address = /^https?:\/\//i.test(bare) ? bare : `https://${bare.replace(/^\/\//, '')}`;
  if (!URL.canParse(address)) return NO_ADDRESS;
  const { hostname, href, origin } = new URL(address);
  if (address !== bare && (!/[a-z\d]\.[a-z\d]/i.test(hostname) || /^[a-z][a-z\d+.-]*:\/\//i.test(bare) || bare.includes('@')))
    return NO_ADDRESS;
  if (!/^[\u0021-\u007e]+$/.test(address)) return { value: href };
  return { value: address.replace(/^[a-z]+:\/\/[^/?#@\\]+(?=[/?#]|$)/i, origin) };
}
