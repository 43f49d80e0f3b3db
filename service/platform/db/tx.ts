import { AsyncLocalStorage } from 'node:async_hooks';
import { LIMITS } from '@partner-portal/contract/vocabulary.ts';
import type { Kysely } from 'kysely';
import pg from 'pg';
import type { DB } from '#schema/types.gen.ts';
import type { Actor, TenantScope } from '../actor.ts';
import { attachFacts, type Facts } from '../facts.ts';
import { defineHistogram } from '../measure.ts';
import { AppError } from '../refuse.ts';
import { topicsOf } from './commit-topics.ts';
import { readSnapshot } from './snapshot.ts';
import { createStatementNames } from './statement-names.ts';
import {
  bindKysely,
  type Bound,
  type Narrows,
  type RowOf,
  type Statement,
  type StatementListener,
  type StatementName,
  toCamelRows,
  toStatement,
  type TypedStatement,
} from './statements.ts';
import type { SystemTx, TenantTx } from './transaction.ts';
import { explainLost } from './unavailable.ts';

export type { SystemTx, TenantTx, Tx } from './transaction.ts';

/** Reasons to read across tenants. A closed list, so that every such place is easy to find. */
export const SYSTEM_REASONS = [
  'login',
  'domains',
  'invitation',
  'application',
  'newsletter',
  'callback',
  'ingest',
  'visitor',
  'knowledge',
  'staff',
  'provisioning',
  'sweep',
  'metering',
  'events',
  'files',
  'mail',
  'billing',
  'credentials',
  'health',
  'seed',
  'rewrap',
  'export',
  'purge',
] as const;
export type SystemReason = (typeof SYSTEM_REASONS)[number];

export type Database = {
  /**
   * Runs `fn` in one transaction as the tenant of `scope`. For a user the same round trip asserts that the session is valid: refuses
   * `unauthenticated`, `user_disabled` or, unless the actor's route answers while suspended, `account_suspended`. Commits when `fn` resolves, rolls back when it throws. Must not be nested.
   */
  asTenant<T>(scope: Actor | TenantScope, fn: (tx: TenantTx) => Promise<T>): Promise<T>;
  /**
   * Like `asTenant`, in one round trip: COMMIT is sent with the statements that `fn` sends before it first waits for one. A later statement throws.
   * For reads of one statement, or of several that do not depend on each other.
   */
  readAsTenant<T>(scope: Actor | TenantScope, fn: (tx: TenantTx) => Promise<T>): Promise<T>;
  /**
   * Runs `fn` on one read-only snapshot as the tenant of `scope`: every statement sees the same state, regardless of later commits. It
   * locks no rows, and `fn` may write elsewhere what it reads here. A connection of the pool belongs to it until `fn` settles; `signal` breaks
   * that connection, so that a statement under way ends at once.
   */
  asTenantSnapshot<T>(scope: TenantScope, fn: (tx: TenantTx) => Promise<T>, signal: AbortSignal): Promise<T>;
  /** Runs `fn` in one transaction that sees every tenant. */
  asSystem<T>(reason: SystemReason, fn: (tx: SystemTx) => Promise<T>): Promise<T>;
  /** Like `asSystem('staff')` for the session of an ADMIN, which it asserts in the same round trip. */
  asStaff<T>(actor: Actor, fn: (tx: SystemTx) => Promise<T>): Promise<T>;
  /** Asserts the session in one round trip, for work without a transaction. Refuses like `asTenant`. */
  assertSession(actor: Actor): Promise<void>;
  /** Returns whether a transaction or `assertSession` has asserted this actor. */
  wasAsserted(actor: Actor): boolean;
  /**
   * Calls a definer function without a transaction: one round trip, for the hot paths. Other statements fail, since the login role may read
   * no table.
   */
  call<Name extends StatementName>(statement: TypedStatement<Name>): Promise<RowOf<Name>[]>;
  call<Name extends StatementName, Row extends Narrows<Name, Row>>(statement: TypedStatement<Name>): Promise<Row[]>;
  /** Calls `listener` after each commit of this process that called `notifyAfterCommit` with this topic. */
  onCommitted(topic: string, listener: () => void): () => void;
  /** Calls `listener` for every statement sent, BEGIN and COMMIT included; returns a function that removes it. */
  onStatement(listener: StatementListener): () => void;
  /** True when the server answers within `timeoutMs`. */
  isUp(timeoutMs: number): Promise<boolean>;
};

const transactions = defineHistogram('portal_database_transaction_duration_seconds', {
  help: 'Transactions and single calls by kind and outcome: done, or failed, which a refusal is too. One count is one transaction or call, the wait for a connection included.',
  labels: ['kind', 'outcome'],
  buckets: [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 15],
});

const scopeStore = new AsyncLocalStorage<'transaction'>();

/** Returns whether the caller is inside a transaction; outbound calls refuse to start then. */
export function insideTransaction(): boolean {
  return scopeStore.getStore() !== undefined;
}

/** How a transaction is entered, and how long it may take in all. */
type Entry = Statement & { transactionMs?: number };

/** Returns how many milliseconds are left of a transaction that begins now. */
function timeLeft({ transactionMs = Infinity }: Entry): () => number {
  const endsAt = performance.now() + transactionMs;
  return () => endsAt - performance.now();
}

const ENTER_USER: Pick<Statement, 'name' | 'text'> = {
  name: 'enter_user',
  text: `select set_config('role', $6, true), set_config('app.partner_id', $2, true), set_config('app.client_id', $3, true),
    set_config('statement_timeout', $9, true), set_config('transaction_timeout', $10, true),
    assert_session($1::uuid, $2::uuid, nullif($3, '')::uuid, to_timestamp($4::double precision), $5::uuid, $7::boolean, $8::uuid)`,
};
const ASSERT_SESSION: Pick<Statement, 'name' | 'text'> = {
  name: 'assert_session',
  text: 'select assert_session($1::uuid, $2::uuid, $3::uuid, to_timestamp($4::double precision), $5::uuid, $6::boolean, $7::uuid)',
};
const ENTER_TENANT: Pick<Statement, 'name' | 'text'> = {
  name: 'enter_tenant',
  text: `select set_config('role', 'portal_tenant', true), set_config('app.partner_id', $1, true), set_config('app.client_id', $2, true)`,
};
const ENTER_SYSTEM: Pick<Statement, 'name' | 'text'> = {
  name: 'enter_system',
  text: `select set_config('role', 'portal_system', true)`,
};

/** Creates the only access to the tables. */
export function createDatabase(pool: pg.Pool, facts?: Facts): Database {
  const listeners = new Set<StatementListener>();
  const emit: StatementListener = (statement) => {
    for (const listener of listeners) listener(statement);
  };
  const committed = new Map<string, Set<() => void>>();
  const names = createStatementNames();
  const measured = async <T>(kind: 'transaction' | 'read' | 'call', work: () => Promise<T>): Promise<T> => {
    const startedAt = performance.now();
    let outcome = 'failed';
    try {
      const result = await work();
      outcome = 'done';
      return result;
    } finally {
      transactions.observe({ kind, outcome }, performance.now() - startedAt);
    }
  };
  const run = async <T>(role: Bound['role'], enter: Entry, fn: (tx: Kysely<DB>) => Promise<T>): Promise<T> => {
    if (insideTransaction()) throw new Error('A transaction was opened inside another one: pass the transaction down instead.');
    const client = await pool.connect();
    const bound: Bound = { client, role, emit, names };
    const left = timeLeft(enter);
    let broken: Error | undefined;
    let entered: Promise<void> | undefined;
    try {
      const tx = bindKysely(bound);
      if (facts) attachFacts(tx, facts);
      entered = begin(client, 'BEGIN', enter, emit);
      const result = await scopeStore.run('transaction', () => fn(tx));
      await entered;
      bound.isClosed = true;
      emit({ kind: 'control', text: 'COMMIT' });
      const done = await client.query('COMMIT');
      // After an error that the code swallowed, the server rolls back instead.
      if (done.command !== 'COMMIT') throw new Error('The transaction was rolled back because a statement in it had failed.');
      for (const topic of topicsOf(tx)) for (const listener of committed.get(topic) ?? []) listener();
      return result;
    } catch (failure) {
      bound.isClosed = true;
      // A refused entry is the cause of all errors after it.
      const error = await entryErrorOr(entered, failure);
      emit({ kind: 'control', text: 'ROLLBACK' });
      await client.query('ROLLBACK').catch((lost: Error) => (broken = lost));
      if (isStalePreparedStatement(error)) broken = error;
      throw explainRefusal(explainLost(error, left()));
    } finally {
      client.release(broken);
    }
  };
  const runAtOnce = async <T>(enter: Entry, fn: (tx: Kysely<DB>) => Promise<T>): Promise<T> => {
    if (insideTransaction()) throw new Error('A transaction was opened inside another one: pass the transaction down instead.');
    const client = await pool.connect();
    const left = timeLeft(enter);
    let broken: Error | undefined;
    try {
      const bound: Bound = { client, role: 'portal_tenant', emit, names };
      const tx = bindKysely(bound);
      const ending = Promise.withResolvers<pg.QueryResult>();
      const entered = begin(client, 'BEGIN', enter, emit, () => {
        bound.isClosed = true;
        emit({ kind: 'control', text: 'COMMIT' });
        ending.resolve(client.query('COMMIT'));
      });
      const [work, end] = await Promise.allSettled([scopeStore.run('transaction', async () => fn(tx)), ending.promise]);
      if (end.status === 'rejected') throw (broken = end.reason as Error); // of a connection that is lost
      if (work.status === 'rejected') {
        const error = await entryErrorOr(entered, work.reason);
        if (isStalePreparedStatement(error)) broken = error;
        throw error;
      }
      await entered;
      if (end.value.command !== 'COMMIT') throw new Error('The transaction was rolled back because a statement in it had failed.');
      return work.value;
    } catch (error) {
      throw explainRefusal(explainLost(error, left()));
    } finally {
      client.release(broken);
    }
  };
  const asserted = new WeakSet<Actor>();
  const userEntry = (actor: Actor, role: Bound['role']): Entry => {
    asserted.add(actor);
    const statementMs = actor.statementTimeoutMs ?? LIMITS.workStatementMs;
    const transactionMs = statementMs + LIMITS.transactionMoreMs;
    return {
      ...ENTER_USER,
      transactionMs,
      values: [
        actor.userId,
        actor.partnerId,
        actor.clientId ?? '',
        actor.issuedAt.getTime() / 1000,
        actor.jti,
        role,
        actor.whileSuspended,
        actor.actingUserId,
        String(statementMs),
        String(transactionMs),
      ],
    };
  };
  const send = async (statement: Statement): Promise<pg.QueryResultRow[]> => {
    if (insideTransaction()) throw new Error('call() was used inside a transaction: use runStatement(tx, …) instead.');
    emit({ kind: 'query', text: statement.text, ...(statement.name ? { name: statement.name } : {}) });
    const client = await pool.connect();
    let broken: Error | undefined;
    try {
      const result = await client.query<pg.QueryResultRow>(statement);
      return toCamelRows(result.rows);
    } catch (error) {
      if (!isRefusedStatement(error) || isStalePreparedStatement(error)) broken = error instanceof Error ? error : new Error(String(error));
      throw explainRefusal(error);
    } finally {
      client.release(broken);
    }
  };
  const tenantEntry = (scope: Actor | TenantScope): Entry =>
    scope.kind === 'user' ? userEntry(scope, 'portal_tenant') : { ...ENTER_TENANT, values: [scope.partnerId, scope.clientId ?? ''] };
  return {
    asTenant: (scope, fn) => measured('transaction', () => run('portal_tenant', tenantEntry(scope), (tx) => fn(tx as TenantTx))), // the brand exists in types only
    readAsTenant: (scope, fn) => measured('read', () => runAtOnce(tenantEntry(scope), (tx) => fn(tx as TenantTx))),
    asTenantSnapshot(scope, fn, signal) {
      if (insideTransaction()) throw new Error('A snapshot was opened inside a transaction: read in the transaction instead.');
      return readSnapshot({ pool, emit, names, begin }, scope, (tx) => fn(tx as TenantTx), signal);
    },
    asSystem: (_reason, fn) =>
      measured('transaction', () => run('portal_system', { ...ENTER_SYSTEM, values: [] }, (tx) => fn(tx as SystemTx))),
    asStaff: async (actor, fn) => {
      // All tenants are in reach: a route that lets others call such a use-case must not open it.
      if (actor.role !== 'ADMIN') throw new Error(`A transaction of staff was opened for the role ${actor.role}.`);
      return measured('transaction', () => run('portal_system', userEntry(actor, 'portal_system'), (tx) => fn(tx as SystemTx)));
    },
    // The row types were checked against the statement's own columns.
    call: ((statement: TypedStatement<StatementName>) => measured('call', () => send(toStatement(statement)))) as Database['call'],
    wasAsserted: (actor) => asserted.has(actor),
    async assertSession(actor) {
      const { userId, partnerId, clientId, issuedAt, jti, whileSuspended, actingUserId } = actor;
      asserted.add(actor);
      const values = [userId, partnerId, clientId, issuedAt.getTime() / 1000, jti, whileSuspended, actingUserId];
      await measured('call', () => send({ ...ASSERT_SESSION, values }));
    },
    onCommitted(topic, listener) {
      const present = committed.get(topic) ?? new Set();
      committed.set(topic, present.add(listener));
      return () => void present.delete(listener);
    },
    onStatement(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    isUp: (timeoutMs) => isReachable(pool, timeoutMs),
  };
}

/**
 * Sends BEGIN, the scope and the caller's first statement in one round trip, and what `beforeFlush` sends behind it. A failed entry aborts the
 * transaction, so the server runs none of the statements behind it.
 */
function begin(client: pg.PoolClient, text: string, enter: Statement, emit: StatementListener, beforeFlush?: () => void): Promise<void> {
  emit({ kind: 'control', text });
  emit({ kind: 'enter', text: enter.text, ...(enter.name ? { name: enter.name } : {}) });
  const { stream } = client.connection;
  stream.cork();
  const entered = Promise.all([client.query(text), client.query(enter)]).then(() => undefined);
  // Handled where the transaction ends; until then it would be an unhandled rejection.
  entered.catch(() => undefined);
  // After what the caller does until it waits: most send their first statement in it.
  process.nextTick(() => {
    try {
      beforeFlush?.();
    } finally {
      stream.uncork();
    }
  });
  return entered;
}

async function entryErrorOr(entered: Promise<void> | undefined, otherwise: unknown): Promise<unknown> {
  try {
    await entered;
    return otherwise;
  } catch (error) {
    return error;
  }
}

/** Turns the errors of `assert_session` into refusals. */
function explainRefusal(error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'PS401') return new AppError('unauthenticated', { cause: error });
  if (code === 'PS403') return new AppError('account_suspended', { cause: error });
  if (code === 'PS404') return new AppError('user_disabled', { cause: error });
  return error;
}

/** The connection remains usable. pg's own `pool.query` would close it, with all prepared statements, after any error. */
function isRefusedStatement(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.severity === 'ERROR';
}

/** A migration changed the columns of a prepared statement: the server refuses it on this connection, and a new one prepares it again. */
function isStalePreparedStatement(error: unknown): error is Error {
  return error instanceof pg.DatabaseError && error.code === '0A000' && error.routine === 'RevalidateCachedQuery';
}

async function isReachable(pool: pg.Pool, timeoutMs: number): Promise<boolean> {
  const timer = Promise.withResolvers<boolean>();
  const handle = setTimeout(() => timer.resolve(false), timeoutMs);
  const probe = pool.query('select 1').then(
    () => true,
    () => false,
  );
  const up = await Promise.race([probe, timer.promise]);
  clearTimeout(handle);
  return up;
}
