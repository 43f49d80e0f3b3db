/**
 * An event's id as receivers see it: `evt_` and the 26 characters of a ULID, which are the 128 bits of the event's UUIDv7 in
 * Crockford's base 32. Time order is kept, since both begin with the same 48 bits of milliseconds. Source: product.md §6, the example.
 */

const DIGITS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const PREFIX = 'evt_';
const LENGTH = 26;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** `evt_…` of a UUID. Throws for a text that is none: ids come from the database. */
export function eventIdText(uuid: string): string {
  if (!UUID.test(uuid)) throw new Error(`"${uuid}" is not a UUID.`);
  let bits = BigInt(`0x${uuid.replaceAll('-', '')}`);
  let text = '';
  for (let place = 0; place < LENGTH; place += 1) {
    text = DIGITS.charAt(Number(bits & 31n)) + text;
    bits >>= 5n;
  }
  return PREFIX + text;
}
