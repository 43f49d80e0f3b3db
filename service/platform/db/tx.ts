import { AsyncLocalStorage } from 'node:async_hooks';
import type { Kysely } from 'kysely';
import type pg from 'pg';
import type { DB } from '#schema/types.gen.ts';
import type { Actor, TenantScope } from '../actor.ts';
import { AppError } from '../refuse.ts';
import { bindKysely, type Statement, type StatementListener, toCamelRows } from './statements.ts';
import type { SystemTx, TenantTx } from './transaction.ts';

export type { SystemTx, TenantTx, Tx } from './transaction.ts';

/** Why code may look across tenants. A closed list, so that every such place is one search away. */
export const SYSTEM_REASONS = [
  'login',
  'invitation',
  'callback',
  'ingest',
  'staff',
  'provisioning',
  'sweep',
  'metering',
  'events',
  'credentials',
  'health',
  'seed',
  'rewrap',
] as const;
export type SystemReason = (typeof SYSTEM_REASONS)[number];

export type TenantOptions = {
  /** The few use-cases that answer for a suspended account (product.md §4.4). */
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
  /**
   * One definer-function call without a transaction of its own: one round trip for the hot paths.
   * Nothing else would work here, since the login role may read no table.
   */
  call<Row>(statement: Statement): Promise<Row[]>;
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
    assert_session($1::uuid, $2::uuid, nullif($3, '')::uuid, to_timestamp($4::double precision), $5::uuid, $7::boolean)`,
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
export function createDatabase(pool: pg.Pool): Database {
  const listeners = new Set<StatementListener>();
  const tell: StatementListener = (statement) => {
    for (const listener of listeners) listener(statement);
  };
  const run = async <T>(enter: Statement, fn: (tx: Kysely<DB>) => Promise<T>): Promise<T> => {
    if (insideTransaction()) throw new Error('A transaction was opened inside another one: pass the transaction down instead.');
    const client = await pool.connect();
    let broken: Error | undefined;
    try {
      await begin(client, enter, tell);
      const result = await scopeStore.run('transaction', () => fn(bindKysely(client, tell)));
      tell({ kind: 'control', text: 'COMMIT' });
      const done = await client.query('COMMIT');
      // After an error that the code swallowed the server answers ROLLBACK here: nothing was kept, so say so.
      if (done.command !== 'COMMIT') throw new Error('The transaction was rolled back because a statement in it had failed.');
      return result;
    } catch (error) {
      tell({ kind: 'control', text: 'ROLLBACK' });
      await client.query('ROLLBACK').catch((failure: Error) => (broken = failure));
      throw explainRefusal(error);
    } finally {
      client.release(broken);
    }
  };
  const userEntry = (actor: Actor, role: string, whileSuspended: boolean): Statement => ({
    ...ENTER_USER,
    values: [actor.userId, actor.partnerId, actor.clientId ?? '', actor.issuedAt.getTime() / 1000, actor.jti, role, whileSuspended],
  });
  return {
    asTenant(scope, fn, options = {}) {
      const enter =
        scope.kind === 'user'
          ? userEntry(scope, 'portal_tenant', options.whileSuspended ?? false)
          : { ...ENTER_TENANT, values: [scope.partnerId, scope.clientId ?? ''] };
      return run(enter, (tx) => fn(tx as TenantTx)); // the brand exists in types only
    },
    asSystem: (_reason, fn) => run({ ...ENTER_SYSTEM, values: [] }, (tx) => fn(tx as SystemTx)),
    asStaff: (actor, fn) => run(userEntry(actor, 'portal_system', false), (tx) => fn(tx as SystemTx)),
    async call<Row>(statement: Statement) {
      if (insideTransaction()) throw new Error('call() was used inside a transaction: use runStatement(tx, …) instead.');
      tell({ kind: 'query', text: statement.text, ...(statement.name ? { name: statement.name } : {}) });
      const result = await pool.query<pg.QueryResultRow>(statement).catch((error: unknown) => {
        throw explainRefusal(error);
      });
      return toCamelRows(result.rows) as Row[]; // the caller wrote the statement and knows its columns
    },
    onStatement(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    isUp: (timeoutMs) => answers(pool, timeoutMs),
  };
}

/** BEGIN and the scope leave together: one round trip. */
async function begin(client: pg.PoolClient, enter: Statement, tell: StatementListener): Promise<void> {
  tell({ kind: 'control', text: 'BEGIN' });
  tell({ kind: 'enter', text: enter.text, ...(enter.name ? { name: enter.name } : {}) });
  await Promise.all([client.query('BEGIN'), client.query(enter)]);
}

/** Session errors raised by `assert_session`, in the words of the registry. */
function explainRefusal(error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'PS401') return new AppError('unauthenticated', { cause: error });
  if (code === 'PS403') return new AppError('account_suspended', { cause: error });
  if (code === 'PS404') return new AppError('user_disabled', { cause: error });
  return error;
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
