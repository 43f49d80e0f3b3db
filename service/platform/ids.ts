import { randomFillSync } from 'node:crypto';
import { v7 } from 'uuid';

const RANDOM_BYTES = 16;
// Asked for by the thousand: one call to the generator costs more than the id made of it.
const pool = new Uint8Array(RANDOM_BYTES * 256);
let used = pool.length;
let last = { msecs: 0, seq: 0 };

/** A new id: UUIDv7, ordered by time, which is what keyset pages and monthly partitions stand on. Never parsed. */
export function newId(): string {
  const random = takeRandom();
  const now = Date.now();
  // Within a millisecond the ids count up from a random place, so that their order is that of their making.
  if (now > last.msecs) last = { msecs: now, seq: Buffer.from(random.buffer, random.byteOffset, 4).readUInt32BE() >>> 1 };
  else last.seq += 1;
  return v7({ random, ...last });
}

/** Bytes that were handed out once and are overwritten when the pool is filled again. */
function takeRandom(): Uint8Array {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  used += RANDOM_BYTES;
  return pool.subarray(used - RANDOM_BYTES, used);
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Whether a text has the form of an id; what does not cannot name a row. */
export function isId(value: string): boolean {
  return UUID.test(value);
}
