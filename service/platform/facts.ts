import type { Tx } from './db/transaction.ts';

declare const carries: unique symbol;

/** What a module did in a transaction, under a name other modules can act on before it commits. Declared with `defineFact`. */
export type Fact<P, T extends Tx = Tx> = { readonly name: string; readonly [carries]?: (tx: T, payload: P) => void };

/** Acts on all payloads of one `recordFacts` call, in the transaction that recorded them. What it throws rolls the transaction back. */
export type FactHandler<P, T extends Tx = Tx> = (tx: T, payloads: readonly P[]) => Promise<void>;

/** One fact with its handlers in the order in which they run. */
export type Consequence = { readonly name: string; readonly handlers: readonly FactHandler<unknown>[] };

const defined = new Set<string>();

/** Declares a fact as `noun.verb_in_past`. Throws when the name is taken. Payloads carry ids and states, never secrets. */
export function defineFact<P, T extends Tx = Tx>(name: string): Fact<P, T> {
  if (defined.has(name)) throw new Error(`The fact ${name} is defined twice.`);
  defined.add(name);
  return { name };
}

/** Lists what follows from a fact; without a handler nothing does. */
export function when<P, T extends Tx>(fact: Fact<P, T>, ...handlers: readonly FactHandler<P, T>[]): Consequence {
  // recordFacts accepts this fact only with its own payload and transaction type.
  return { name: fact.name, handlers: handlers as unknown as FactHandler<unknown>[] };
}

export type Facts = {
  /** Fixes what follows from what, once, at boot. Throws when a defined fact is missing, listed twice or never defined. */
  register(consequences: readonly Consequence[]): void;
  handlersOf(name: string): readonly FactHandler<unknown>[];
};

/** The handlers of all facts. A database has one; see `createDatabase`. */
export function createFacts(): Facts {
  let registered: ReadonlyMap<string, readonly FactHandler<unknown>[]> | undefined;
  return {
    register(consequences) {
      if (registered) throw new Error('Consequences are registered once.');
      const byName = new Map<string, readonly FactHandler<unknown>[]>();
      for (const { name, handlers } of consequences) {
        if (byName.has(name)) throw new Error(`The fact ${name} is listed twice.`);
        if (!defined.has(name)) throw new Error(`The fact ${name} was never defined.`);
        byName.set(name, handlers);
      }
      const missing = [...defined].filter((name) => !byName.has(name));
      if (missing.length > 0)
        throw new Error(`No consequences are listed for ${missing.join(', ')}: add a line, with no handler if nothing follows.`);
      registered = byName;
    },
    handlersOf(name) {
      const handlers = registered?.get(name);
      if (!handlers) throw new Error(`The fact ${name} was recorded before consequences were registered.`);
      return handlers;
    },
  };
}

const attached = new WeakMap<object, Facts>();

/** Ties a new transaction to the handlers of its database. */
export function attachFacts(tx: object, facts: Facts): void {
  attached.set(tx, facts);
}

/** Runs the handlers of a fact in the caller's transaction, one after the other. Sends no statement of its own. */
export async function recordFact<P, T extends Tx>(tx: T, fact: Fact<P, T>, payload: P): Promise<void> {
  await recordFacts(tx, fact, [payload]);
}

/** Like `recordFact` for many at once: each handler runs once, with all of them. An empty list does nothing. */
export async function recordFacts<P, T extends Tx>(tx: T, fact: Fact<P, T>, payloads: readonly P[]): Promise<void> {
  if (payloads.length === 0) return;
  const facts = attached.get(tx);
  if (!facts)
    throw new Error(`The fact ${fact.name} was recorded in a database without consequences: pass createFacts() to createDatabase.`);
  for (const handle of facts.handlersOf(fact.name)) await handle(tx, payloads);
}
