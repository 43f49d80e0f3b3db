import { z } from 'zod';
import type { SessionAccess } from '../define-route.ts';
import { csvOf } from '../csv-of.ts';
import { defineRoute } from '../define-route.ts';
import { fileBytes, id, idParams, json, page, pageQuery } from '../primitives.ts';
import { exportRecord } from '../records/account.ts';
import { ACCOUNT_SCOPES, EXPORT_STATUSES } from '../vocabulary.ts';

/** Answers for a suspended account too: it takes its data along. Moderators and view-as sessions get no copy of everything. */
const exportsData: SessionAccess = {
  kind: 'session',
  roles: ['ADMIN', 'PARTNER', 'CLIENT'],
  write: true,
  whileSuspended: true,
  inViewAs: false,
};
const filters = { partnerId: id.optional(), clientId: id.optional(), status: z.enum(EXPORT_STATUSES).optional() };
const noChange = 'Lists exports; a download is audited.';

const listExports = defineRoute({
  method: 'GET',
  path: '/account-export',
  tag: 'account-export',
  summary: 'List exports in scope',
  access: exportsData,
  query: pageQuery.extend(filters),
  reply: { 200: page(exportRecord) },
  errors: ['not_found', 'invalid_cursor', 'invalid_query', 'scope_forbidden'],
  changesNothing: noChange,
});

export const accountExportRoutes = {
  createExport: defineRoute({
    method: 'POST',
    path: '/account-export',
    tag: 'account-export',
    summary: 'Export the data of an account as a zip file',
    access: exportsData,
    body: z.object({ scope: z.enum(ACCOUNT_SCOPES), clientId: id.optional(), partnerId: id.optional() }),
    reply: { 202: exportRecord },
    errors: ['validation_failed', 'not_found', 'scope_forbidden', 'already_pending', 'rate_limited'],
    audit: 'account_export.requested',
  }),
  listExports,
  exportAccountExports: csvOf(listExports, 'Export the list of exports as CSV, streamed; their files are not in it'),
  streamExports: defineRoute({
    method: 'GET',
    path: '/account-export/stream',
    tag: 'account-export',
    summary: 'Stream the progress of exports',
    access: exportsData,
    query: z.object({ partnerId: id.optional() }),
    format: 'events',
    reply: { 200: json },
    errors: ['not_found', 'scope_forbidden'],
    changesNothing: noChange,
  }),
  getExport: defineRoute({
    method: 'GET',
    path: '/account-export/:id',
    tag: 'account-export',
    summary: 'Get an export',
    access: exportsData,
    params: idParams,
    reply: { 200: exportRecord },
    errors: ['not_found'],
    changesNothing: noChange,
  }),
  downloadExport: defineRoute({
    method: 'GET',
    path: '/account-export/:id/download',
    tag: 'account-export',
    summary: 'Get the zip file',
    access: exportsData,
    params: idParams,
    format: 'file',
    reply: { 200: fileBytes, 206: fileBytes },
    errors: ['not_found', 'invalid_state', 'export_expired', 'range_not_satisfiable'],
    audit: 'account_export.downloaded',
  }),
};
