import {
  CamelCasePlugin,
  type CompiledQuery,
  type DatabaseConnection,
  DefaultQueryExecutor,
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresDialect,
  PostgresQueryCompiler,
  type QueryResult,
  SingleConnectionProvider,
} from 'kysely';
import type pg from 'pg';
import type { DB } from '#schema/types.gen.ts';
import type { StatementNames } from './statement-names.ts';
import type { Tx } from './transaction.ts';

/** A statement written by hand; with a name the server plans it once per connection. */
export type Statement = { name?: string; text: string; values?: unknown[] };

export type StatementListener = (statement: { kind: 'control' | 'enter' | 'query'; text: string; name?: string }) => void;

/** What statements of one transaction share. */
export type Bound = {
  client: pg.PoolClient;
  /** Whose policies fence it. */
  role: 'portal_tenant' | 'portal_system';
  tell: StatementListener;
  names: StatementNames;
};

const bindings = new WeakMap<object, Bound>();
const compiler = new PostgresQueryCompiler();
const adapter = new PostgresAdapter();
// JSON columns keep their own member names; only column names are mapped.
const plugins = [new CamelCasePlugin({ maintainNestedObjectKeys: true })];
class NoNesting extends DummyDriver {
  override async beginTransaction(): Promise<void> {
    throw new Error('A transaction was opened inside another one: use the one you were given.');
  }
}

const driver = new NoNesting();
const dialect = new PostgresDialect({
  pool: async () => {
    throw new Error('A transaction never opens a connection of its own.');
  },
});

/** Kysely over exactly this open transaction. Cheap: the compiler and the plugins are shared. */
export function bindKysely(bound: Bound): Kysely<DB> {
  const connection = new TransactionConnection(bound);
  const executor = new DefaultQueryExecutor(compiler, adapter, new SingleConnectionProvider(connection), plugins);
  const tx = new Kysely<DB>({ config: { dialect }, dialect, driver, executor });
  bindings.set(tx, bound);
  return tx;
}

/**
 * Runs a named statement in a transaction: half the price of the query builder, for the paths that are walked often.
 * Column names come back in camelCase like everywhere else.
 */
export async function runStatement<Row>(tx: Tx, statement: Statement): Promise<Row[]> {
  const bound = bindings.get(tx);
  if (!bound) throw new Error('runStatement needs the transaction that asTenant or asSystem handed out.');
  bound.tell({ kind: 'query', text: statement.text, ...(statement.name ? { name: statement.name } : {}) });
  const result = await bound.client.query<pg.QueryResultRow>(nameFor(bound, statement));
  return toCamelRows(result.rows) as Row[]; // the caller wrote the statement and knows its columns
}

/**
 * A plan holds the policies of the role it was made for: used by both in turn, one name would be planned anew each time. So each role has
 * a name of its own.
 */
function nameFor({ role }: Bound, statement: Statement): Statement {
  return statement.name && role === 'portal_system' ? { ...statement, name: `${statement.name}.all` } : statement;
}

const camelNames = new Map<string, string>();

/** Maps the column names of rows to camelCase, once per name. */
export function toCamelRows(rows: pg.QueryResultRow[]): pg.QueryResultRow[] {
  return rows.map((row) => {
    const mapped: pg.QueryResultRow = {};
    for (const column in row) {
      let name = camelNames.get(column);
      if (name === undefined) {
        name = column.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
        camelNames.set(column, name);
      }
      mapped[name] = row[column];
    }
    return mapped;
  });
}

class TransactionConnection implements DatabaseConnection {
  readonly #bound: Bound;
  constructor(bound: Bound) {
    this.#bound = bound;
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const { client, tell, names } = this.#bound;
    const name = names(query.sql);
    const statement = { ...(name ? { name } : {}), text: query.sql, values: [...query.parameters] };
    tell({ kind: 'query', text: query.sql, ...(name ? { name } : {}) });
    const result = await client.query<pg.QueryResultRow>(nameFor(this.#bound, statement));
    const rows = result.rows as R[]; // Kysely computed R from the very query that ran
    if (['INSERT', 'UPDATE', 'DELETE', 'MERGE'].includes(result.command)) {
      return { rows, numAffectedRows: BigInt(result.rowCount ?? 0) };
    }
    return { rows };
  }

  // oxlint-disable-next-line require-yield
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('Streaming holds a portal open, which a pipelined connection cannot: page by key instead.');
  }
}
