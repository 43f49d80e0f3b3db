import { PROFILE_KEYS } from './accounts.ts';

/** Tables whose filters a user can save. */
export const FILTERED_TABLES = [
  'clients',
  'agents',
  'runs',
  'requests',
  'deliveries',
  'ledger',
  'audit',
  'partners',
  'users',
  'inbox',
  'alerts',
  'invoices',
  'mail',
  'subscribers',
  'imports',
] as const;
export type FilteredTable = (typeof FILTERED_TABLES)[number];

/** Fields that a column of an imported table may fill. */
export const CLIENT_IMPORT_FIELDS = [
  'name',
  'contactName',
  'contactEmail',
  'phone',
  'website',
  'timezone',
  'locale',
  'industry',
  'externalRef',
  'notes',
  ...PROFILE_KEYS,
  /** The ID of an existing client, as exports name it: it finds the client and changes nothing. */
  'id',
] as const;
export type ClientImportField = (typeof CLIENT_IMPORT_FIELDS)[number];

/** `all`: nothing is written when a row is refused; `valid`: every row that can be. */
export const CLIENT_IMPORT_MODES = ['all', 'valid'] as const;
export type ClientImportMode = (typeof CLIENT_IMPORT_MODES)[number];

export const CLIENT_IMPORT_OUTCOMES = ['created', 'updated', 'unchanged', 'refused'] as const;
export type ClientImportOutcome = (typeof CLIENT_IMPORT_OUTCOMES)[number];

/** Effects of an undo on a row: deleted its client, wrote former values back, or left the client as it is. */
export const CLIENT_IMPORT_UNDO = ['removed', 'restored', 'kept'] as const;
export type ClientImportUndo = (typeof CLIENT_IMPORT_UNDO)[number];

export const TABLE_ENCODINGS = ['utf-8', 'utf-16le', 'utf-16be', 'windows-1252'] as const;
export type TableEncoding = (typeof TABLE_ENCODINGS)[number];

export const TABLE_DELIMITERS = ['comma', 'semicolon', 'tab', 'pipe'] as const;
export type TableDelimiter = (typeof TABLE_DELIMITERS)[number];
