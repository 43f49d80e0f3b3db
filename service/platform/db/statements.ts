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
import type { Statements } from '#schema/statements.gen.ts';
import type { DB } from '#schema/types.gen.ts';
import type { StatementNames } from './statement-names.ts';
import type { Tx } from './transaction.ts';

/** Statement as sent to the server, which prepares a named one once per connection. */
export type Statement = { name?: string; text: string; values?: unknown[] };

export type StatementName = keyof Statements;

/** The columns of a statement's rows. */
export type RowOf<Name extends StatementName> = Statements[Name]['row'];
/** What a hand-written row type must satisfy: each of its members is a column of that type. It may leave columns out and exclude null. */
export type Narrows<Name extends StatementName, Row> = {
  [Column in keyof Row]: Column extends keyof RowOf<Name> ? RowOf<Name>[Column] | undefined : never;
};

/** A statement written by hand. Its types are read from the migrated schema by its name (`npm run gen`, ADR 0015). */
export type TypedStatement<Name extends StatementName> = {
  name: Name;
  text: string;
  values?: Statements[Name]['values'];
  /** False for a statement that runs rarely, or whose best plan depends on its values: the server plans it at each call. */
  prepare?: false;
};

export type StatementListener = (statement: { kind: 'control' | 'enter' | 'query'; text: string; name?: string }) => void;

/** Shared by the statements of one transaction. */
export type Bound = {
  client: pg.PoolClient;
  /** The role whose policies apply. */
  role: 'portal_tenant' | 'portal_system';
  emit: StatementListener;
  names: StatementNames;
  /** COMMIT or ROLLBACK is sent: it takes no more statements. A late one would run in the next transaction of its connection. */
  isClosed?: boolean;
};

const bindings = new WeakMap<object, Bound>();
const compiler = new PostgresQueryCompiler();
const adapter = new PostgresAdapter();
// JSON columns keep their own member names; only column names are mapped.
const plugins = [new CamelCasePlugin({ maintainNestedObjectKeys: true })];
class NoNesting extends DummyDriver {
  override async beginTransaction(): Promise<void> {
    throw new Error('A transaction was opened inside another one: use the given one.');
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
 * Runs a statement in a transaction: half the price of the query builder, for the paths that run often.
 * Column names are mapped to camelCase.
 */
export function runStatement<Name extends StatementName>(tx: Tx, statement: TypedStatement<Name>): Promise<RowOf<Name>[]>;
export function runStatement<Name extends StatementName, Row extends Narrows<Name, Row>>(
  tx: Tx,
  statement: TypedStatement<Name>,
): Promise<Row[]>;
export async function runStatement(tx: Tx, statement: TypedStatement<StatementName>): Promise<pg.QueryResultRow[]> {
  const bound = bindings.get(tx);
  if (!bound) throw new Error('runStatement needs a transaction of asTenant or asSystem.');
  requireOpen(bound);
  const sent = toStatement(statement);
  bound.emit({ kind: 'query', text: sent.text, ...(sent.name ? { name: sent.name } : {}) });
  const result = await bound.client.query<pg.QueryResultRow>(nameFor(bound, sent));
  return toCamelRows(result.rows);
}

function requireOpen({ isClosed }: Bound): void {
  if (isClosed) throw new Error('The transaction has ended, and takes no more statements; readAsTenant sends its own at once.');
}

/** The statement as it goes to the server. */
export function toStatement({ name, text, values, prepare }: TypedStatement<StatementName>): Statement {
  return { ...(prepare === false || !name ? {} : { name }), text, ...(values === undefined ? {} : { values: [...values] }) };
}

/** A plan includes the policies of its role. With one name for both roles the server would plan again at each change of role. */
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
    const { client, emit, names } = this.#bound;
    requireOpen(this.#bound);
    const name = names(query.sql);
    const statement = { ...(name ? { name } : {}), text: query.sql, values: [...query.parameters] };
    emit({ kind: 'query', text: query.sql, ...(name ? { name } : {}) });
    const result = await client.query<pg.QueryResultRow>(nameFor(this.#bound, statement));
    const rows = result.rows as R[]; // Kysely derived R from this query
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
