import { z } from 'zod';
import { id, time } from '../primitives.ts';
import {
  CLIENT_IMPORT_FIELDS,
  CLIENT_IMPORT_MODES,
  CLIENT_IMPORT_OUTCOMES,
  CLIENT_IMPORT_UNDO,
  TABLE_DELIMITERS,
  TABLE_ENCODINGS,
} from '../vocabulary.ts';

export const clientImportCounts = z.object({
  created: z.number().int(),
  updated: z.number().int(),
  unchanged: z.number().int(),
  refused: z.number().int(),
});

/** An import that was carried out. */
export const clientImportRecord = z
  .object({
    id,
    filename: z.string(),
    mode: z.enum(CLIENT_IMPORT_MODES),
    counts: clientImportCounts,
    /** Null once the person left. */
    createdBy: z.object({ id, fullName: z.string(), email: z.string() }).nullable(),
    createdAt: time,
    /** Until when it can be undone. */
    undoUntil: time,
    /** The result of an undo; null without one. */
    undone: z.object({ at: time, removed: z.number().int(), restored: z.number().int(), kept: z.number().int() }).nullable(),
  })
  .meta({ id: 'ClientImport' });

export const clientImportRow = z
  .object({
    /** Line of the file on which the row starts, counted from 1; a header is line 1. */
    row: z.number().int(),
    outcome: z.enum(CLIENT_IMPORT_OUTCOMES),
    /** Null for a refused row, for one that would be created, and after an undo that removed the client. */
    clientId: id.nullable(),
    name: z.string(),
    /** The cell that a row was refused for, or that was left out of it: its field, its column counted from 1, and what it holds, shortened. */
    field: z.enum(CLIENT_IMPORT_FIELDS).nullable(),
    column: z.number().int().nullable(),
    cell: z.string().nullable(),
    /** Why the row was refused, or the cell left out (`changed_by_spreadsheet`), as a word for programs and a sentence for people. */
    code: z.string().nullable(),
    reason: z.string().nullable(),
    undo: z.enum(CLIENT_IMPORT_UNDO).nullable(),
    /** Why an undo left the client as it is. */
    undoReason: z.string().nullable(),
  })
  .meta({ id: 'ClientImportRow' });

/** The result of an import, or of its preview. */
export const clientImportResult = z
  .object({
    dryRun: z.boolean(),
    mode: z.enum(CLIENT_IMPORT_MODES),
    /** Null when nothing was written: a dry run, or a refused row in the mode `all`. */
    import: clientImportRecord.nullable(),
    encoding: z.enum(TABLE_ENCODINGS),
    delimiter: z.enum(TABLE_DELIMITERS),
    /** The columns of the file in their order, and which field each one fills. `header` is blank where the file has none. */
    columns: z.array(z.object({ header: z.string(), field: z.enum(CLIENT_IMPORT_FIELDS).nullable() })),
    counts: clientImportCounts,
    /** Clients of the plan, and how many of them were used before. */
    clientLimit: z.object({ included: z.number().int(), used: z.number().int() }),
    rows: z.array(clientImportRow),
  })
  .meta({ id: 'ClientImportResult' });
