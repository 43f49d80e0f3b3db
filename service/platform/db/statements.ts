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
import type { Tx } from './transaction.ts';

/** A statement written by hand; with a name the server plans it once per connection. */
export type Statement = { name?: string; text: string; values?: unknown[] };

export type StatementListener = (statement: { kind: 'control' | 'enter' | 'query'; text: string; name?: string }) => void;

type Bound = { client: pg.PoolClient; tell: StatementListener };

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
export function bindKysely(client: pg.PoolClient, tell: StatementListener): Kysely<DB> {
  const connection = new TransactionConnection(client, tell);
  const executor = new DefaultQueryExecutor(compiler, adapter, new SingleConnectionProvider(connection), plugins);
  const bound = new Kysely<DB>({ config: { dialect }, dialect, driver, executor });
  bindings.set(bound, { client, tell });
  return bound;
}

/**
 * Runs a named statement in a transaction: half the price of the query builder, for the paths that are walked often.
 * Column names come back in camelCase like everywhere else.
 */
export async function runStatement<Row>(tx: Tx, statement: Statement): Promise<Row[]> {
  const bound = bindings.get(tx);
  if (!bound) throw new Error('runStatement needs the transaction that asTenant or asSystem handed out.');
  bound.tell({ kind: 'query', text: statement.text, ...(statement.name ? { name: statement.name } : {}) });
  const result = await bound.client.query<pg.QueryResultRow>(statement);
  return toCamelRows(result.rows) as Row[]; // the caller wrote the statement and knows its columns
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
  readonly #client: pg.PoolClient;
  readonly #tell: StatementListener;
  constructor(client: pg.PoolClient, tell: StatementListener) {
    this.#client = client;
    this.#tell = tell;
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    this.#tell({ kind: 'query', text: query.sql });
    const result = await this.#client.query<pg.QueryResultRow>(query.sql, [...query.parameters]);
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
