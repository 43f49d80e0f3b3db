import { randomFillSync } from 'node:crypto';
import { v7 } from 'uuid';

const RANDOM_BYTES = 16;
// A call to the generator costs more than the id made from it.
const pool = new Uint8Array(RANDOM_BYTES * 256);
let used = pool.length;
let last = { msecs: 0, seq: 0 };

/** Returns a new id: UUIDv7, ordered by time, which keyset pages and monthly partitions rely on. Never parsed. */
export function newId(): string {
  const random = takeRandom();
  const now = Date.now();
  // Within a millisecond the ids count up from a random place, so that they sort in creation order.
  if (now > last.msecs) last = { msecs: now, seq: Buffer.from(random.buffer, random.byteOffset, 4).readUInt32BE() >>> 1 };
  else last.seq += 1;
  return v7({ random, ...last });
}

/** Returns bytes that are used once and overwritten when the pool is refilled. */
function takeRandom(): Uint8Array {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  used += RANDOM_BYTES;
  return pool.subarray(used - RANDOM_BYTES, used);
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Returns whether a text has the form of an id. */
export function isId(value: string): boolean {
  return UUID.test(value);
}
