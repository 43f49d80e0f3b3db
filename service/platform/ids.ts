import { v7 } from 'uuid';

/** A new id: UUIDv7, ordered by time, which is what keyset pages and monthly partitions stand on. Never parsed. */
export function newId(): string {
  return v7();
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Whether a text has the form of an id; what does not cannot name a row. */
export function isId(value: string): boolean {
  return UUID.test(value);
}
