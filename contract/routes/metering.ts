import { z } from 'zod';
import { csvOf } from '../csv-of.ts';
import { defineRoute } from '../define-route.ts';
import { id, page, pageQuery, time } from '../primitives.ts';
import { quotaRecord, usageEntry } from '../records/metering.ts';
import { USAGE_KINDS } from '../vocabulary.ts';
import { anyone, staffOrPartner } from './access.ts';

const scope = { partnerId: id.optional() };
const filters = {
  ...scope,
  clientId: id.optional(),
  workflowId: id.optional(),
  kind: z.enum(USAGE_KINDS).optional(),
  from: time.optional(),
  to: time.optional(),
};

const listLedger = defineRoute({
  method: 'GET',
  path: '/metering/ledger',
  tag: 'metering',
  summary: 'List the signed entries of the ledger; each links to its run or order',
  access: staffOrPartner,
  query: pageQuery.extend(filters),
  reply: { 200: page(usageEntry) },
  errors: ['not_found', 'scope_forbidden', 'invalid_cursor', 'invalid_query'],
});

export const meteringRoutes = {
  getQuota: defineRoute({
    method: 'GET',
    path: '/metering/quota',
    tag: 'metering',
    summary: 'Get the credits of this period',
    access: staffOrPartner,
    query: z.object(scope),
    reply: { 200: quotaRecord },
    errors: ['not_found', 'scope_forbidden', 'invalid_query'],
  }),
  getUsage: defineRoute({
    method: 'GET',
    path: '/metering/usage',
    tag: 'metering',
    summary: 'Get usage as a series',
    access: anyone,
    query: z.object({
      ...scope,
      clientId: id.optional(),
      from: time.optional(),
      to: time.optional(),
      /** `partner` is for staff. */
      groupBy: z.enum(['day', 'client', 'agent', 'kind', 'partner']).default('day'),
    }),
    reply: {
      200: z.array(
        z.object({ key: z.string(), label: z.string(), credits: z.number().int(), runs: z.number().int(), failed: z.number().int() }),
      ),
    },
    errors: ['not_found', 'scope_forbidden', 'invalid_query'],
  }),
  listLedger,
  exportLedger: csvOf(listLedger, 'Export the ledger as CSV, streamed'),
};
