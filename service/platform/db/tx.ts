import { AsyncLocalStorage } from 'node:async_hooks';
import type { Kysely } from 'kysely';
import pg from 'pg';
import type { DB } from '#schema/types.gen.ts';
import type { Actor, TenantScope } from '../actor.ts';
import { attachFacts, type Facts } from '../facts.ts';
import { AppError } from '../refuse.ts';
import { topicsOf } from './commit-topics.ts';
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

export type { SystemTx, TenantTx, Tx } from './transaction.ts';

/** Why code may look across tenants. A closed list, so that every such place is one search away. */
export const SYSTEM_REASONS = [
  'login',
  'invitation',
  'application',
  'callback',
  'ingest',
  'staff',
  'provisioning',
  'sweep',
  'metering',
  'events',
  'mail',
  'credentials',
  'health',
  'seed',
  'rewrap',
] as const;
export type SystemReason = (typeof SYSTEM_REASONS)[number];

export type TenantOptions = {
  /** The few use-cases that answer for a suspended account (docs/behaviour/identity.md, ID-8). */
  whileSuspended?: boolean;
};

export type Database = {
  /**
   * Runs `fn` in one transaction as the tenant of `scope`. For a person the same round trip asserts that the session
   * still stands: refuses `unauthenticated`, `user_disabled` or `account_suspended`.
   * Commits when `fn` resolves, rolls back when it throws. Never call it inside another transaction.
   */
  asTenant<T>(scope: Actor | TenantScope, fn: (tx: TenantTx) => Promise<T>, options?: TenantOptions): Promise<T>;
  /** Runs `fn` in one transaction that sees every tenant. */
  asSystem<T>(reason: SystemReason, fn: (tx: SystemTx) => Promise<T>): Promise<T>;
  /** As `asSystem('staff')` for an ADMIN at the keyboard: asserts the session in the same round trip. */
  asStaff<T>(actor: Actor, fn: (tx: SystemTx) => Promise<T>): Promise<T>;
  /** Only the assertion, in one round trip: for work that opens no transaction of its own. Refuses like `asTenant`. */
  assertSession(actor: Actor, options?: TenantOptions): Promise<void>;
  /** Whether this very actor was asserted already, by whatever transaction or call came first. */
  wasAsserted(actor: Actor): boolean;
  /**
   * One definer-function call without a transaction of its own: one round trip for the hot paths.
   * Nothing else would work here, since the login role may read no table.
   */
  call<Name extends StatementName>(statement: TypedStatement<Name>): Promise<RowOf<Name>[]>;
  call<Name extends StatementName, Row extends Narrows<Name, Row>>(statement: TypedStatement<Name>): Promise<Row[]>;
  /** Calls `listener` after each commit of this process in which `notifyAfterCommit` was told this topic. */
  onCommitted(topic: string, listener: () => void): () => void;
  /** Tells `listener` about every statement sent, BEGIN and COMMIT included; returns the way to stop it. */
  onStatement(listener: StatementListener): () => void;
  /** True when the server answers within `timeoutMs`. */
  isUp(timeoutMs: number): Promise<boolean>;
};

const scopeStore = new AsyncLocalStorage<'transaction'>();

/** True while the caller stands inside a transaction; outbound calls refuse to start then. */
export function insideTransaction(): boolean {
  return scopeStore.getStore() !== undefined;
}

const ENTER_USER: Pick<Statement, 'name' | 'text'> = {
  name: 'enter_user',
  text: `select set_config('role', $6, true), set_config('app.partner_id', $2, true), set_config('app.client_id', $3, true),
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

/** The only door to the tables. */
export function createDatabase(pool: pg.Pool, facts?: Facts): Database {
  const listeners = new Set<StatementListener>();
  const tell: StatementListener = (statement) => {
    for (const listener of listeners) listener(statement);
  };
  const committed = new Map<string, Set<() => void>>();
  const names = createStatementNames();
  const run = async <T>(role: Bound['role'], enter: Statement, fn: (tx: Kysely<DB>) => Promise<T>): Promise<T> => {
    if (insideTransaction()) throw new Error('A transaction was opened inside another one: pass the transaction down instead.');
    const client = await pool.connect();
    let broken: Error | undefined;
    let entered: Promise<void> | undefined;
    try {
      const tx = bindKysely({ client, role, tell, names });
      if (facts) attachFacts(tx, facts);
      entered = begin(client, enter, tell);
      const result = await scopeStore.run('transaction', () => fn(tx));
      await entered;
      tell({ kind: 'control', text: 'COMMIT' });
      const done = await client.query('COMMIT');
      // After an error that the code swallowed the server answers ROLLBACK here: nothing was kept, so say so.
      if (done.command !== 'COMMIT') throw new Error('The transaction was rolled back because a statement in it had failed.');
      for (const topic of topicsOf(tx)) for (const listener of committed.get(topic) ?? []) listener();
      return result;
    } catch (failure) {
      // Who may not enter hears that, whatever became of what was sent behind it.
      const error = await whyNotEntered(entered, failure);
      tell({ kind: 'control', text: 'ROLLBACK' });
      await client.query('ROLLBACK').catch((lost: Error) => (broken = lost));
      if (isOfThePast(error)) broken = error;
      throw explainRefusal(error);
    } finally {
      client.release(broken);
    }
  };
  const asserted = new WeakSet<Actor>();
  const userEntry = (actor: Actor, role: Bound['role'], whileSuspended: boolean): Statement => {
    asserted.add(actor);
    return {
      ...ENTER_USER,
      values: [
        actor.userId,
        actor.partnerId,
        actor.clientId ?? '',
        actor.issuedAt.getTime() / 1000,
        actor.jti,
        role,
        whileSuspended,
        actor.actingUserId,
      ],
    };
  };
  const send = async (statement: Statement): Promise<pg.QueryResultRow[]> => {
    if (insideTransaction()) throw new Error('call() was used inside a transaction: use runStatement(tx, …) instead.');
    tell({ kind: 'query', text: statement.text, ...(statement.name ? { name: statement.name } : {}) });
    const client = await pool.connect();
    let broken: Error | undefined;
    try {
      const result = await client.query<pg.QueryResultRow>(statement);
      return toCamelRows(result.rows);
    } catch (error) {
      if (!isRefusedStatement(error) || isOfThePast(error)) broken = error instanceof Error ? error : new Error(String(error));
      throw explainRefusal(error);
    } finally {
      client.release(broken);
    }
  };
  return {
    asTenant(scope, fn, options = {}) {
      const enter =
        scope.kind === 'user'
          ? userEntry(scope, 'portal_tenant', options.whileSuspended ?? false)
          : { ...ENTER_TENANT, values: [scope.partnerId, scope.clientId ?? ''] };
      return run('portal_tenant', enter, (tx) => fn(tx as TenantTx)); // the brand exists in types only
    },
    asSystem: (_reason, fn) => run('portal_system', { ...ENTER_SYSTEM, values: [] }, (tx) => fn(tx as SystemTx)),
    asStaff: (actor, fn) => run('portal_system', userEntry(actor, 'portal_system', false), (tx) => fn(tx as SystemTx)),
    // The row types were checked against the statement's own columns.
    call: ((statement: TypedStatement<StatementName>) => send(toStatement(statement))) as Database['call'],
    wasAsserted: (actor) => asserted.has(actor),
    async assertSession(actor, { whileSuspended = false } = {}) {
      const { userId, partnerId, clientId, issuedAt, jti, actingUserId } = actor;
      asserted.add(actor);
      await send({
        ...ASSERT_SESSION,
        values: [userId, partnerId, clientId, issuedAt.getTime() / 1000, jti, whileSuspended, actingUserId],
      });
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
    isUp: (timeoutMs) => answers(pool, timeoutMs),
  };
}

/**
 * BEGIN, the scope and the first statement leave together: one round trip. What fails to enter leaves the transaction aborted, and the
 * server runs nothing that was sent behind it.
 */
function begin(client: pg.PoolClient, enter: Statement, tell: StatementListener): Promise<void> {
  tell({ kind: 'control', text: 'BEGIN' });
  tell({ kind: 'enter', text: enter.text, ...(enter.name ? { name: enter.name } : {}) });
  const { stream } = client.connection;
  stream.cork();
  const entered = Promise.all([client.query('BEGIN'), client.query(enter)]).then(() => undefined);
  // Its failure is told where the transaction ends; nobody listens until then.
  entered.catch(() => undefined);
  // After whatever the caller does at once: most send their first statement by then.
  process.nextTick(() => stream.uncork());
  return entered;
}

async function whyNotEntered(entered: Promise<void> | undefined, otherwise: unknown): Promise<unknown> {
  try {
    await entered;
    return otherwise;
  } catch (error) {
    return error;
  }
}

/** Session errors raised by `assert_session`, in the words of the registry. */
function explainRefusal(error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'PS401') return new AppError('unauthenticated', { cause: error });
  if (code === 'PS403') return new AppError('account_suspended', { cause: error });
  if (code === 'PS404') return new AppError('user_disabled', { cause: error });
  return error;
}

/** The server answered, and would answer the next statement: pg's own `pool.query` closes the connection, with all that is planned on it, at any error. */
function isRefusedStatement(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.severity === 'ERROR';
}

/**
 * A migration gave a named statement other columns than it was prepared with, and the server refuses it on this connection from now on: the
 * next one prepares it anew.
 */
function isOfThePast(error: unknown): error is Error {
  return error instanceof pg.DatabaseError && error.code === '0A000' && error.routine === 'RevalidateCachedQuery';
}

async function answers(pool: pg.Pool, timeoutMs: number): Promise<boolean> {
  const timer = Promise.withResolvers<boolean>();
  const handle = setTimeout(() => timer.resolve(false), timeoutMs);
  const asked = pool.query('select 1').then(
    () => true,
    () => false,
  );
  const up = await Promise.race([asked, timer.promise]);
  clearTimeout(handle);
  return up;
}
