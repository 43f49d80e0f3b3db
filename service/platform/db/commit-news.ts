import type { Tx } from './transaction.ts';

const news = new WeakMap<object, Set<string>>();
const NONE: ReadonlySet<string> = new Set();

/**
 * Tells this process's `Database.onCommitted` listeners once the transaction has committed, and nobody when it does not. It costs no
 * statement; a notice inside the transaction would make its commit wait for every other one that announces something.
 */
export function tellAfterCommit(tx: Tx, topic: string): void {
  const told = news.get(tx);
  if (told) told.add(topic);
  else news.set(tx, new Set([topic]));
}

/** What was told in a transaction. */
export function newsOf(tx: object): ReadonlySet<string> {
  return news.get(tx) ?? NONE;
}
