import { z } from 'zod';
import { csvOf } from '../csv-of.ts';
import { defineRoute } from '../define-route.ts';
import { csvText, idParams, page, pageQuery } from '../primitives.ts';
import { clientImportRecord, clientImportResult, clientImportRow } from '../records/client-import.ts';
import {
  CLIENT_IMPORT_FIELDS,
  CLIENT_IMPORT_MODES,
  CLIENT_IMPORT_OUTCOMES,
  CLIENT_IMPORT_UNDO,
  LIMITS,
  TABLE_DELIMITERS,
  TABLE_ENCODINGS,
} from '../vocabulary.ts';
import { partner, partnerWrite } from './access.ts';

const fieldOfColumn = z
  .record(z.string().regex(/^[1-9]\d{0,2}$/, 'Name a column by its number, counted from 1.'), z.enum(CLIENT_IMPORT_FIELDS))
  .refine((mapping) => new Set(Object.values(mapping)).size === Object.keys(mapping).length, 'Two columns fill the same field.');

/** JSON: the number of a column, counted from 1, and the field that it fills. Other columns are ignored. */
const mapping = z
  .string()
  .max(4_000)
  .transform((text, context) => {
    try {
      return fieldOfColumn.parse(JSON.parse(text));
    } catch (error) {
      const message = error instanceof z.ZodError ? error.issues[0]?.message : undefined;
      context.addIssue({ code: 'custom', message: message ?? 'Send JSON such as {"1":"name","2":"contactEmail"}.' });
      return z.NEVER;
    }
  });

const rowFilters = { outcome: z.enum(CLIENT_IMPORT_OUTCOMES).optional(), undo: z.enum(CLIENT_IMPORT_UNDO).optional() };

const listClientImports = defineRoute({
  method: 'GET',
  path: '/clients/imports',
  tag: 'clients',
  summary: 'List imports of clients, newest first',
  access: partner,
  query: pageQuery,
  reply: { 200: page(clientImportRecord) },
  errors: ['invalid_cursor', 'invalid_query'],
});

const listClientImportRows = defineRoute({
  method: 'GET',
  path: '/clients/imports/:id/rows',
  tag: 'clients',
  summary: 'List the rows of an import, in the order of the file',
  access: partner,
  params: idParams,
  query: pageQuery.extend(rowFilters),
  reply: { 200: page(clientImportRow) },
  errors: ['not_found', 'invalid_cursor', 'invalid_query'],
});

export const clientImportRoutes = {
  importClients: defineRoute({
    method: 'POST',
    path: '/clients/import',
    tag: 'clients',
    summary: 'Import clients from a CSV file',
    access: partnerWrite,
    body: z.object({
      dryRun: z
        .enum(['true', 'false'])
        .default('false')
        .transform((value) => value === 'true'),
      mode: z.enum(CLIENT_IMPORT_MODES).default('all'),
      mapping: mapping.optional(),
      hasHeader: z
        .enum(['true', 'false'])
        .default('true')
        .describe(
          '`false`: the first row is a client as well. Its columns have no names, so `mapping` says by their numbers what they hold.',
        )
        .transform((value) => value === 'true'),
      delimiter: z.enum(TABLE_DELIMITERS).optional(),
      encoding: z.enum(TABLE_ENCODINGS).optional(),
    }),
    bodyLimit: LIMITS.importBytesMax,
    upload: true,
    fileAsBody: ['text/csv'],
    idempotent: true,
    reply: { 200: clientImportResult },
    errors: ['validation_failed', 'service_unavailable'],
    audit: 'client.imported',
  }),
  getClientImportTemplate: defineRoute({
    method: 'GET',
    path: '/clients/import/template.csv',
    tag: 'clients',
    summary: 'Get a file to fill in: the header and two examples',
    access: partner,
    format: 'csv',
    reply: { 200: csvText },
    errors: [],
  }),
  listClientImports,
  exportClientImports: csvOf(listClientImports, 'Export the list of imports as CSV, streamed'),
  getClientImport: defineRoute({
    method: 'GET',
    path: '/clients/imports/:id',
    tag: 'clients',
    summary: 'Get an import of clients',
    access: partner,
    params: idParams,
    reply: { 200: clientImportRecord },
    errors: ['not_found'],
  }),
  listClientImportRows,
  exportClientImportRows: csvOf(listClientImportRows, 'Export the rows as CSV, streamed'),
  undoClientImport: defineRoute({
    method: 'POST',
    path: '/clients/imports/:id/undo',
    tag: 'clients',
    summary: 'Undo an import within an hour',
    access: partnerWrite,
    params: idParams,
    reply: { 200: clientImportRecord },
    errors: ['not_found', 'invalid_state'],
    audit: 'client.import_undone',
  }),
};
