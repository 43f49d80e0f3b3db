import { z } from 'zod';
import type { SessionAccess } from '../define-route.ts';
import { csvOf } from '../csv-of.ts';
import { defineRoute } from '../define-route.ts';
import { id, idParams, json, optionalText, page, pageQuery, text } from '../primitives.ts';
import { deletionPreview, deletionRequestRecord, purgeRecord, reactivationRequestRecord } from '../records/account.ts';
import { ACCOUNT_SCOPES, DELETION_REQUEST_STATUSES, REACTIVATION_REQUEST_STATUSES } from '../vocabulary.ts';
import { anyone, partnerOrClientWrite, staffOrPartner, staffOrPartnerWrite } from './access.ts';

/** A suspended account sees and makes its requests to be reactivated. */
const readsReactivation: SessionAccess = { kind: 'session', roles: ['ADMIN', 'PARTNER', 'CLIENT'], write: false, whileSuspended: true };
const asksReactivation: SessionAccess = { kind: 'session', roles: ['PARTNER', 'CLIENT'], write: true, whileSuspended: true };

const account = { scope: z.enum(ACCOUNT_SCOPES), clientId: id.optional() };
const filters = { partnerId: id.optional(), clientId: id.optional(), scope: z.enum(ACCOUNT_SCOPES).optional() };
const rejection = z.object({ note: text(2000) });
const decision = z.object({ note: optionalText(2000).optional() });

const listDeletionRequests = defineRoute({
  method: 'GET',
  path: '/account-deletion',
  tag: 'account-deletion',
  summary: 'List deletion requests in scope',
  access: anyone,
  query: pageQuery.extend({ ...filters, status: z.enum(DELETION_REQUEST_STATUSES).optional() }),
  reply: { 200: page(deletionRequestRecord) },
  errors: ['not_found', 'invalid_cursor', 'invalid_query', 'scope_forbidden'],
});

const listReactivationRequests = defineRoute({
  method: 'GET',
  path: '/account-reactivation',
  tag: 'account-reactivation',
  summary: 'List reactivation requests in scope',
  access: readsReactivation,
  query: pageQuery.extend({ ...filters, status: z.enum(REACTIVATION_REQUEST_STATUSES).optional() }),
  reply: { 200: page(reactivationRequestRecord) },
  errors: ['not_found', 'invalid_cursor', 'invalid_query', 'scope_forbidden'],
});

export const accountRoutes = {
  requestDeletion: defineRoute({
    method: 'POST',
    path: '/account-deletion',
    tag: 'account-deletion',
    summary: 'Request the deletion of an account',
    access: partnerOrClientWrite,
    needsRecentLogin: true,
    body: z.object({ ...account, reason: text(2000), confirmName: text(200) }),
    reply: { 201: deletionRequestRecord },
    errors: ['validation_failed', 'not_found', 'already_pending', 'invalid_state'],
    audit: 'deletion_request.submitted',
  }),
  listDeletionRequests,
  exportDeletionRequests: csvOf(listDeletionRequests),
  previewDeletion: defineRoute({
    method: 'GET',
    path: '/account-deletion/preview',
    tag: 'account-deletion',
    summary: 'Get what a deletion would stop and remove',
    access: anyone,
    /** The client when one is named, else the caller's own account; staff name the agency. */
    query: z.object({ ...account, scope: account.scope.optional(), partnerId: id.optional() }),
    reply: { 200: deletionPreview },
    errors: ['not_found', 'invalid_query', 'scope_forbidden'],
  }),
  getDeletionRequest: defineRoute({
    method: 'GET',
    path: '/account-deletion/:id',
    tag: 'account-deletion',
    summary: 'Get a deletion request',
    access: anyone,
    params: idParams,
    reply: { 200: deletionRequestRecord },
    errors: ['not_found'],
  }),
  approveDeletion: defineRoute({
    method: 'POST',
    path: '/account-deletion/:id/approve',
    tag: 'account-deletion',
    summary: 'Approve a deletion: the account is suspended now and purged later',
    access: staffOrPartnerWrite,
    needsRecentLogin: true,
    params: idParams,
    body: decision,
    reply: { 200: deletionRequestRecord },
    errors: ['validation_failed', 'not_found', 'role_forbidden', 'invalid_state'],
    audit: 'deletion_request.approved',
  }),
  rejectDeletion: defineRoute({
    method: 'POST',
    path: '/account-deletion/:id/reject',
    tag: 'account-deletion',
    summary: 'Reject a deletion; the note is shown to the requester',
    access: staffOrPartnerWrite,
    params: idParams,
    body: rejection,
    reply: { 200: deletionRequestRecord },
    errors: ['validation_failed', 'not_found', 'role_forbidden', 'invalid_state'],
    audit: 'deletion_request.rejected',
  }),
  cancelDeletion: defineRoute({
    method: 'POST',
    path: '/account-deletion/:id/cancel',
    tag: 'account-deletion',
    summary: 'Withdraw a deletion request that is not decided yet',
    access: partnerOrClientWrite,
    params: idParams,
    reply: { 200: deletionRequestRecord },
    errors: ['not_found', 'role_forbidden', 'invalid_state'],
    audit: 'deletion_request.cancelled',
  }),
  getPurge: defineRoute({
    method: 'GET',
    path: '/account-deletion/:id/purge',
    tag: 'account-deletion',
    summary: 'Get the purge of a deleted account, step by step',
    access: staffOrPartner,
    params: idParams,
    reply: { 200: purgeRecord },
    errors: ['not_found'],
  }),
  streamPurge: defineRoute({
    method: 'GET',
    path: '/account-deletion/:id/purge/stream',
    tag: 'account-deletion',
    summary: 'Stream the progress of a purge',
    access: staffOrPartner,
    params: idParams,
    format: 'events',
    reply: { 200: json },
    errors: ['not_found'],
  }),
  requestReactivation: defineRoute({
    method: 'POST',
    path: '/account-reactivation',
    tag: 'account-reactivation',
    summary: 'Request the reactivation of a suspended account: the caller’s own, or a client’s',
    access: asksReactivation,
    /** `clientId`: an agency may request it for one of its clients, which may have no users. */
    body: z.object({ message: text(2000), clientId: id.optional() }),
    reply: { 201: reactivationRequestRecord },
    errors: ['validation_failed', 'not_found', 'already_pending', 'invalid_state'],
    audit: 'reactivation_request.submitted',
  }),
  listReactivationRequests,
  exportReactivationRequests: csvOf(listReactivationRequests),
  approveReactivation: defineRoute({
    method: 'POST',
    path: '/account-reactivation/:id/approve',
    tag: 'account-reactivation',
    summary: 'Reactivate an account with everything it had',
    access: staffOrPartnerWrite,
    params: idParams,
    body: decision,
    reply: { 200: reactivationRequestRecord },
    errors: ['validation_failed', 'not_found', 'role_forbidden', 'invalid_state', 'client_limit_reached'],
    audit: 'reactivation_request.approved',
  }),
  rejectReactivation: defineRoute({
    method: 'POST',
    path: '/account-reactivation/:id/reject',
    tag: 'account-reactivation',
    summary: 'Reject a reactivation; the note is shown to the requester',
    access: staffOrPartnerWrite,
    params: idParams,
    body: rejection,
    reply: { 200: reactivationRequestRecord },
    errors: ['validation_failed', 'not_found', 'role_forbidden', 'invalid_state'],
    audit: 'reactivation_request.rejected',
  }),
};
