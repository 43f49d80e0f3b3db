import { randomBytes } from 'node:crypto';

// In ASCII order, so that comparing texts under collation "C" compares the numbers they spell.
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const ID_LENGTH = 21;
const TIME_LENGTH = 7;

function randomText(length: number): string {
  let text = '';
  while (text.length < length) {
    for (const byte of randomBytes(length + 8)) {
      // 248 = 4 * 62: bytes above would favour the first letters.
      if (byte < 248 && text.length < length) text += ALPHABET.charAt(byte % 62);
    }
  }
  return text;
}

/** A new id: 21 characters `[0-9a-zA-Z]`, the form every id of the protocol has. */
export function newId(): string {
  return randomText(ID_LENGTH);
}

function timeText(atMs: number): string {
  let rest = Math.max(0, Math.floor(atMs));
  let text = '';
  for (let place = 0; place < TIME_LENGTH; place += 1) {
    text = ALPHABET.charAt(rest % 62) + text;
    rest = Math.floor(rest / 62);
  }
  return text;
}

/** A new id whose first seven characters spell the time (ms): run tables are partitioned and listed by it. */
export function newTimedId(atMs: number): string {
  return timeText(atMs) + randomText(ID_LENGTH - TIME_LENGTH);
}

/**
 * The timed id that belongs to an idempotency key (a UUID version 7): the same key always spells the same id, so the primary key of runs
 * refuses a repeat. The 80 bits behind the key's time fit into the id's last fourteen characters.
 */
export function timedIdOfKey(key: string): string {
  const hex = key.replaceAll('-', '');
  let rest = BigInt(`0x${hex.slice(12)}`);
  let text = '';
  while (text.length < ID_LENGTH - TIME_LENGTH) {
    text = ALPHABET.charAt(Number(rest % 62n)) + text;
    rest /= 62n;
  }
  return timeText(Number.parseInt(hex.slice(0, 12), 16)) + text;
}

/** The smallest timed id of the moment `atMs`; bounds of partitions and of time filters. */
export function timedIdFloor(atMs: number): string {
  return timeText(atMs) + '0'.repeat(ID_LENGTH - TIME_LENGTH);
}

/** The moment (ms) at which a timed id was made. */
export function timeOfId(id: string): number {
  let value = 0;
  for (const letter of id.slice(0, TIME_LENGTH)) value = value * 62 + ALPHABET.indexOf(letter);
  return value;
}
