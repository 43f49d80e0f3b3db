import { z } from 'zod';
import { csvOf } from '../csv-of.ts';
import { defineRoute } from '../define-route.ts';
import { id, idParams, nothing, optionalText, page, pageQuery, text } from '../primitives.ts';
import { stopListEntry } from '../records/stop-list.ts';
import { LIMITS } from '../vocabulary.ts';
import { anyone, partnerOrClientWrite } from './access.ts';

const tag = 'clients';
/** `q`: part of a number, in any notation, or of an address. */
const filters = { q: optionalText(254).optional() };

const listStopList = defineRoute({
  method: 'GET',
  path: '/clients/:id/stop-list',
  tag,
  summary: 'List the contacts whom no agent of a client writes to, newest first; a client reads its own',
  access: anyone,
  params: idParams,
  query: pageQuery.extend(filters),
  reply: { 200: page(stopListEntry) },
  errors: ['not_found', 'invalid_cursor', 'invalid_query'],
});

export const stopListRoutes = {
  listStopList,
  exportStopList: csvOf(listStopList),
  addToStopList: defineRoute({
    method: 'POST',
    path: '/clients/:id/stop-list',
    tag,
    summary: 'Put a contact on the stop list; one that is on it stays as it is',
    access: partnerOrClientWrite,
    params: idParams,
    body: z
      .object({ contact: text(254), note: optionalText(LIMITS.stopListNoteMax).optional() })
      .meta({ examples: [{ contact: '+13125550121', note: 'Asked on the phone.' }] }),
    reply: { 201: stopListEntry },
    errors: ['not_found', 'validation_failed'],
    audit: 'stop_list.added',
  }),
  removeFromStopList: defineRoute({
    method: 'DELETE',
    path: '/clients/:id/stop-list/:contact',
    tag,
    summary: 'Take a contact off the stop list, with the reason for the audit log',
    access: partnerOrClientWrite,
    params: z.object({ id, contact: z.string().max(254) }),
    body: z.object({ reason: text(LIMITS.stopListNoteMax) }).meta({ examples: [{ reason: 'Asked in the shop to get reminders again.' }] }),
    reply: { 204: nothing },
    errors: ['not_found', 'validation_failed'],
    audit: 'stop_list.removed',
  }),
};
