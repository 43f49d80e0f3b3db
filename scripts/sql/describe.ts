import pg from 'pg';
import type { DatabaseAddress } from '../../service/platform/db/host.ts';

/** A result column as the server describes it. `table` and `column` are 0 for an expression. */
export type DescribedColumn = { name: string; typeId: number; table: number; column: number };
export type Description = { parameters: number[]; columns: DescribedColumn[] };
export type Describe = (text: string) => Promise<Description | Error>;

type Field = { name: string; dataTypeID: number; tableID: number; columnID: number };

/**
 * Opens a connection that parses and describes statements without running them (PostgreSQL frontend/backend protocol, extended query).
 * An invalid statement yields the server's error.
 */
export async function openDescriber(address: DatabaseAddress): Promise<{ describe: Describe; close(): Promise<void> }> {
  const client = new pg.Client(address);
  await client.connect();
  const describe: Describe = (text) => {
    const { promise, resolve } = Promise.withResolvers<Description | Error>();
    const query = new DescribeQuery(text, resolve);
    client.query(query as unknown as pg.Submittable); // pg calls the handlers below by name
    return promise;
  };
  return { describe, close: () => client.end() };
}

/** The handlers that pg's client calls with the responses to a query. */
class DescribeQuery {
  readonly #text: string;
  readonly #settle: (result: Description | Error) => void;
  readonly #result: Description = { parameters: [], columns: [] };
  callback = (): void => undefined;

  constructor(text: string, settle: (result: Description | Error) => void) {
    this.#text = text;
    this.#settle = settle;
  }

  submit(connection: pg.Connection): void {
    // pg's client leaves this message to its listeners; a failed statement sends none, so the previous listener may still be there.
    connection.removeAllListeners('parameterDescription');
    connection.once('parameterDescription', (message: { dataTypeIDs: number[] }) => {
      this.#result.parameters = message.dataTypeIDs;
    });
    connection.parse({ name: '', text: this.#text, types: [] }, true);
    connection.describe({ type: 'S', name: '' }, true);
    connection.sync();
  }

  handleRowDescription(message: { fields: Field[] }): void {
    this.#result.columns = message.fields.map((field) => ({
      name: field.name,
      typeId: field.dataTypeID,
      table: field.tableID,
      column: field.columnID,
    }));
  }

  /** No other handler is called after an error. */
  handleError(error: Error): void {
    this.#settle(error);
  }

  handleReadyForQuery(): void {
    this.#settle(this.#result);
  }
}
