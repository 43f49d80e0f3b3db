import type { Tx } from './transaction.ts';

const topics = new WeakMap<object, Set<string>>();
const NONE: ReadonlySet<string> = new Set();

/**
 * Notifies this process's `Database.onCommitted` listeners of the topic after the transaction commits; a rollback notifies none. Sends no
 * statement: a NOTIFY inside the transaction would serialise its commit with all others that send one.
 */
export function notifyAfterCommit(tx: Tx, topic: string): void {
  const present = topics.get(tx);
  if (present) present.add(topic);
  else topics.set(tx, new Set([topic]));
}

/** Returns the topics to notify when this transaction commits. */
export function topicsOf(tx: object): ReadonlySet<string> {
  return topics.get(tx) ?? NONE;
}
