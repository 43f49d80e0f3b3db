/**
 * The public id of an event: `evt_` and the 128 bits of the event's UUIDv7 in Crockford's base 32, as a ULID. Ids sort by time, since
 * both forms start with the same 48 bits of milliseconds.
 */

const DIGITS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const PREFIX = 'evt_';
const LENGTH = 26;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Formats a UUID as `evt_…`. Throws for any other text. */
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
