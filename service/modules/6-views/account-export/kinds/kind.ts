import type { FileStore } from '#modules/1-ledger/files/index.ts';
import type { TenantTx } from '#platform/db/tx.ts';
import type { Pace } from '../pace.ts';

/** The account whose data an export holds, and the reader it is made for. */
export type ExportScope = {
  partnerId: string;
  /** Null: the whole agency. */
  clientId: string | null;
  /** A client gets less than its agency about the same client. */
  audience: 'agency' | 'client';
};

/**
 * How a column is shown. `json`: its text is JSON and becomes part of the line as it is; `agency…`: left out for a client; `hidden`: read, not
 * shown.
 */
export type Show = 'value' | 'json' | 'agency' | 'agencyJson' | 'hidden';

export type ExportRow = Readonly<Record<string, unknown>>;

/** A file next to the records: its path below `files/`, and its bytes, few enough to be held in memory. Null: removed meanwhile. */
export type Attached = { path: string; load: () => Promise<Buffer | null> };

export type ExportKind = {
  /** Name of its files. */
  name: string;
  /** One sentence for README.txt. */
  about: string;
  /** `partner`: only in the export of a whole agency. `agency`: also in one of a client, if its agency asked. `client`: in every one. */
  reach: 'partner' | 'agency' | 'client';
  columns: Readonly<Record<string, Show>>;
  /** The column that orders the rows and by which the next batch is read. */
  key: string;
  /** Most rows of a batch, so that a batch has some megabytes at most. */
  batch: number;
  read(tx: TenantTx, scope: ExportScope, after: string | null, limit: number): Promise<readonly ExportRow[]>;
  /** Converts a row to the form shown, when it differs from the form read. Called row by row; slow work pauses at the pace of the export. */
  shape?(row: ExportRow, scope: ExportScope, pace: Pace): ExportRow | Promise<ExportRow>;
  /** How many rows there are; kinds of few rows have none and count as nothing in the progress. */
  count?(tx: TenantTx, scope: ExportScope): Promise<number>;
  attached?(row: ExportRow, tx: TenantTx, files: FileStore): Attached | null;
};

type Definition<Row extends object> = Omit<ExportKind, 'columns' | 'key' | 'batch' | 'read' | 'shape' | 'attached'> & {
  key?: keyof Row & string;
  batch?: number;
  read(tx: TenantTx, scope: ExportScope, after: string | null, limit: number): Promise<readonly Row[]>;
  shape?(row: Row, scope: ExportScope, pace: Pace): Row | Promise<Row>;
  /** Every column of a row: a new one does not compile until it is decided who reads it. */
  columns: Readonly<Record<keyof Row & string, Show>>;
  attached?(row: Row, tx: TenantTx, files: FileStore): Attached | null;
};

const BATCH = 500;

/** Declares a kind of record in exports. */
export function defineKind<Row extends object>({ shape, attached, ...kind }: Definition<Row>): ExportKind {
  return {
    ...kind,
    key: kind.key ?? 'id',
    batch: kind.batch ?? BATCH,
    // Rows are passed on as they were read: the kind's own type comes back to it.
    read: kind.read as unknown as ExportKind['read'],
    ...(shape ? { shape: (row, scope, pace) => shape(row as Row, scope, pace) as ExportRow | Promise<ExportRow> } : {}),
    ...(attached ? { attached: (row, tx, files) => attached(row as Row, tx, files) } : {}),
  };
}

/** The columns of a kind for this audience, in the order of its declaration. */
export function shownColumns(kind: ExportKind, { audience }: ExportScope): { name: string; isJson: boolean }[] {
  const isShown = (show: Show): boolean => show !== 'hidden' && (audience === 'agency' || !show.startsWith('agency'));
  return Object.entries(kind.columns)
    .filter(([, show]) => isShown(show))
    .map(([name, show]) => ({ name, isJson: show === 'json' || show === 'agencyJson' }));
}
