import { z } from 'zod';
import { AUDIT_ACTION_NAMES, AUDIT_ACTOR_TYPES } from '../audit-actions.ts';
import { AUDIT_RESULTS } from '../vocabulary.ts';
import { csvOf } from '../csv-of.ts';
import { defineRoute } from '../define-route.ts';
import { id, json, page, pageQuery, time } from '../primitives.ts';
import { staffOrPartner } from './access.ts';

/** Partners see that the actor was staff; name and address of staff are returned to staff only. */
const person = z.object({ type: z.enum(AUDIT_ACTOR_TYPES), id: id.nullable(), email: z.string().nullable(), name: z.string().nullable() });

export const auditEntry = z.object({
  id,
  at: time,
  partnerId: id,
  partnerName: z.string(),
  clientId: id.nullable(),
  clientName: z.string().nullable(),
  /** `via`: the user behind a view-as session; `clientId` is then the client viewed. */
  actor: person.extend({ via: person.nullable() }),
  action: z.string(),
  target: z.object({ type: z.string(), id: z.string().nullable(), label: z.string().nullable() }).nullable(),
  result: z.enum(AUDIT_RESULTS),
  /** [before, after] by field; a secret is ["changed", "changed"]; for a refused action `refusal` is [null, code]. */
  changes: z.record(z.string(), z.tuple([json, json])),
  ip: z.string().nullable(),
  userAgent: z.string().nullable(),
  requestId: z.string().nullable(),
});

const filters = {
  partnerId: id.optional(),
  actor: z.string().trim().min(1).max(254).optional().describe('A user ID, an e-mail address, or one of user, staff, system.'),
  action: z.enum(AUDIT_ACTION_NAMES).optional(),
  targetType: z.string().max(60).optional(),
  targetId: z.string().max(80).optional(),
  clientId: id.optional(),
  result: z.enum(AUDIT_RESULTS).optional(),
  from: time.optional(),
  to: time.optional(),
};

const listAuditLog = defineRoute({
  method: 'GET',
  path: '/audit-log',
  tag: 'audit-log',
  summary: 'List who did what, newest first; a page may be short or empty and still have a next one',
  access: staffOrPartner,
  query: pageQuery.extend(filters),
  reply: { 200: page(auditEntry) },
  errors: ['invalid_cursor', 'invalid_query', 'scope_forbidden', 'not_found'],
});

export const auditLogRoutes = {
  listAuditLog,
  exportAuditLogCsv: defineRoute({ ...csvOf(listAuditLog), audit: 'audit_log.exported' }),
  exportAuditLogNdjson: defineRoute({
    method: 'GET',
    path: '/audit-log/export.ndjson',
    tag: 'audit-log',
    summary: 'Export the list as JSON lines, streamed',
    access: staffOrPartner,
    query: z.object(filters),
    format: 'ndjson',
    reply: { 200: auditEntry },
    errors: ['invalid_query', 'scope_forbidden', 'not_found'],
    audit: 'audit_log.exported',
  }),
  listAuditActions: defineRoute({
    method: 'GET',
    path: '/audit-log/actions',
    tag: 'audit-log',
    summary: 'List every action of the log with its label',
    access: staffOrPartner,
    reply: { 200: z.array(z.object({ action: z.enum(AUDIT_ACTION_NAMES), label: z.string() })) },
    errors: [],
  }),
};
