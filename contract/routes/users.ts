import { z } from 'zod';
import { csvOf } from '../csv-of.ts';
import { defineRoute } from '../define-route.ts';
import { id, idParams, nothing, page, pageQuery, searchText, text } from '../primitives.ts';
import { userRecord } from '../records/user.ts';
import { ROLES, USER_STATUSES } from '../vocabulary.ts';
import { staff, staffWrite } from './access.ts';

const filters = {
  q: searchText(120).optional(),
  role: z.enum(ROLES).optional(),
  partnerId: id.optional(),
  status: z.enum(USER_STATUSES).optional(),
};

const listUsers = defineRoute({
  method: 'GET',
  path: '/users',
  tag: 'users',
  summary: 'Search users across agencies',
  access: staff,
  query: pageQuery.extend(filters),
  reply: { 200: page(userRecord.extend({ partnerName: z.string() })) },
  errors: ['not_found', 'invalid_cursor', 'invalid_query'],
});

export const userRoutes = {
  listUsers,
  exportUsers: csvOf(listUsers),
  getUser: defineRoute({
    method: 'GET',
    path: '/users/:id',
    tag: 'users',
    summary: 'Get a user',
    access: staff,
    params: idParams,
    reply: { 200: userRecord },
    errors: ['not_found'],
  }),
  updateUser: defineRoute({
    method: 'PATCH',
    path: '/users/:id',
    tag: 'users',
    summary: 'Disable or enable a user; disabling ends the sessions',
    access: staffWrite,
    params: idParams,
    body: z.object({ status: z.enum(USER_STATUSES) }),
    reply: { 200: userRecord },
    errors: ['not_found', 'validation_failed', 'cannot_change_own_permission', 'stale_record'],
    audit: 'user.status_changed',
  }),
  resetUserMfa: defineRoute({
    method: 'POST',
    path: '/users/:id/reset-mfa',
    tag: 'users',
    summary: 'Switch off the second step of a user who lost it; their sessions end and they are notified by mail',
    access: staffWrite,
    needsRecentLogin: true,
    params: idParams,
    body: z.object({ reason: text(500) }),
    reply: { 204: nothing },
    errors: ['not_found', 'validation_failed', 'cannot_change_own_permission', 'invalid_state'],
    audit: 'user.mfa_reset',
  }),
  makeAdmin: defineRoute({
    method: 'POST',
    path: '/users/:id/make-admin',
    tag: 'users',
    summary:
      'Make an active member of an agency an admin, for one whose admins are gone; their sessions end and all its admins are notified by mail',
    access: staffWrite,
    needsRecentLogin: true,
    params: idParams,
    body: z.object({ reason: text(500) }),
    reply: { 204: nothing },
    errors: ['not_found', 'validation_failed', 'invalid_state'],
    audit: 'member.permission_changed',
  }),
  signOutUser: defineRoute({
    method: 'POST',
    path: '/users/:id/sign-out',
    tag: 'users',
    summary: 'End every session of a user, who is notified by mail',
    access: staffWrite,
    params: idParams,
    body: z.object({ reason: text(500) }),
    reply: { 204: nothing },
    errors: ['not_found', 'validation_failed'],
    audit: 'user.signed_out',
  }),
};
