import { z } from 'zod';
import { defineRoute, type SessionAccess } from '../define-route.ts';
import { idParams, nothing } from '../primitives.ts';
import { savedFilter, savedFilterInput } from '../records/saved-filter.ts';
import { FILTERED_TABLES } from '../vocabulary.ts';
import { staffOrPartner } from './access.ts';

const tag = 'users';
/** A preference of one's own: moderators keep theirs as well. */
const own: SessionAccess = staffOrPartner;

export const savedFilterRoutes = {
  listSavedFilters: defineRoute({
    method: 'GET',
    path: '/saved-filters',
    tag,
    summary: 'Get the caller’s saved filters of a table, by name',
    access: own,
    query: z.object({ table: z.enum(FILTERED_TABLES) }),
    reply: { 200: z.array(savedFilter) },
    errors: ['invalid_query'],
  }),
  putSavedFilter: defineRoute({
    method: 'PUT',
    path: '/saved-filters/:id',
    tag,
    summary: 'Save a filter under a name, or change one; the caller chooses its ID',
    access: own,
    params: idParams,
    body: savedFilterInput,
    bodyLimit: 16_384,
    reply: { 200: savedFilter },
    errors: ['validation_failed', 'already_exists', 'invalid_state'],
    changesNothing: 'A preference of the caller, which no one else sees.',
  }),
  deleteSavedFilter: defineRoute({
    method: 'DELETE',
    path: '/saved-filters/:id',
    tag,
    summary: 'Delete a saved filter of one’s own',
    access: own,
    params: idParams,
    reply: { 204: nothing },
    errors: ['not_found'],
    changesNothing: 'A preference of the caller, which no one else sees.',
  }),
};
