import type { Kysely } from 'kysely';
import type pg from 'pg';
import type { DB } from '#schema/types.gen.ts';
import type { TenantScope } from '../actor.ts';
import type { StatementNames } from './statement-names.ts';
import { bindKysely, type Bound, type Statement, type StatementListener } from './statements.ts';

/** The reader may wait for a slow writer, and a first statement may count a million rows. */
const ENTER: Pick<Statement, 'name' | 'text'> = {
  name: 'enter_snapshot',
  text: `select set_config('role', 'portal_tenant', true), set_config('app.partner_id', $1, true), set_config('app.client_id', $2, true),
    set_config('idle_in_transaction_session_timeout', '300000', true), set_config('statement_timeout', '120000', true)`,
};
const BEGIN = 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY';

type SnapshotDeps = {
  pool: pg.Pool;
  emit: StatementListener;
  names: StatementNames;
  begin(client: pg.PoolClient, text: string, enter: Statement, emit: StatementListener): Promise<void>;
};

/** Runs `fn` on one read-only snapshot as a tenant (`Database.asTenantSnapshot`). */
export async function readSnapshot<T>(
  { pool, emit, names, begin }: SnapshotDeps,
  { partnerId, clientId }: TenantScope,
  fn: (tx: Kysely<DB>) => Promise<T>,
  signal: AbortSignal,
): Promise<T> {
  const client = await pool.connect();
  const bound: Bound = { client, role: 'portal_tenant', emit, names };
  let broken: Error | undefined;
  const cut = (): void => void client.connection.stream.destroy();
  signal.addEventListener('abort', cut);
  try {
    signal.throwIfAborted();
    await begin(client, BEGIN, { ...ENTER, values: [partnerId, clientId ?? ''] }, emit);
    return await fn(bindKysely(bound));
  } finally {
    signal.removeEventListener('abort', cut);
    bound.isClosed = true;
    emit({ kind: 'control', text: 'ROLLBACK' });
    await client.query('ROLLBACK').catch((lost: Error) => (broken = lost));
    client.release(broken);
  }
}
