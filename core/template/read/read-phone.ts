import { readPhone as readNumber } from '../../contact/phone.ts';
import type { Json } from '../types.ts';
import { only, type Reading, type ReadingClient } from './reading.ts';

/** Why a phone value has no number: its person is not texted, and the event is not at fault. */
export type NoNumber = { not: 'withheld' | 'no_number' };

/** How many values of a list are looked at: each costs far more than its bytes, and a list of numbers for one person is short. */
const VALUES_MAX = 20;

/** Reads a phone number: canonical E.164. A list gives the first number among its first values. */
export function readPhone(raw: Json, { countries }: ReadingClient): Reading | NoNumber {
  const value = only(raw);
  const texts = Array.isArray(value) ? value.slice(0, VALUES_MAX).filter(isText) : isText(value) ? [value] : [];
  if (texts.length === 0) return { problem: 'is not a phone number' };
  let not: NoNumber['not'] = 'no_number';
  for (const text of texts) {
    const reading = readNumber(String(text), countries);
    if ('number' in reading) return { value: reading.number.number };
    if (reading.not === 'no_country') return { problem: 'has no country code, and the country of this client is not known' };
    not = reading.not;
  }
  return { not };
}

function isText(value: Json): value is string | number {
  return typeof value === 'string' || typeof value === 'number';
}
