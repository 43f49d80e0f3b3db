import { z } from 'zod';
import { csvOf } from '../csv-of.ts';
import { defineRoute } from '../define-route.ts';
import { id, nothing, page, pageQuery } from '../primitives.ts';
import { seatCounts, teamMember } from '../records/user.ts';
import { LIMITS, PARTNER_ROLES } from '../vocabulary.ts';
import { partner, partnerWrite } from './access.ts';

const memberParams = z.object({ userId: id });

const listTeam = defineRoute({
  method: 'GET',
  path: '/partners/me/team',
  tag: 'partners',
  summary: 'List the members of the agency, newest first, with their permission and how they log in',
  access: partner,
  query: pageQuery,
  reply: { 200: page(teamMember).extend({ seats: seatCounts }) },
  errors: ['invalid_cursor', 'invalid_query'],
});

/** The partner's team and each member's permission. */
export const teamRoutes = {
  listTeam,
  exportTeam: csvOf(listTeam, 'Export the members as CSV, streamed'),
  changeMember: defineRoute({
    method: 'PATCH',
    path: '/partners/me/team/:userId',
    tag: 'partners',
    summary: 'Promote or demote a member; their sessions end',
    access: partnerWrite,
    params: memberParams,
    body: z.object({
      partnerRole: z.enum(PARTNER_ROLES).describe(`\`admin\` needs a login of the last ${LIMITS.recentLoginMinutes} minutes.`),
    }),
    reply: { 200: teamMember },
    errors: ['validation_failed', 'not_found', 'cannot_change_own_permission', 'last_admin', 'reauthentication_required'],
    audit: 'member.permission_changed',
  }),
  removeMember: defineRoute({
    method: 'DELETE',
    path: '/partners/me/team/:userId',
    tag: 'partners',
    summary: 'Remove a member; their sessions end and their seat is free',
    access: partnerWrite,
    params: memberParams,
    reply: { 204: nothing },
    errors: ['not_found', 'cannot_change_own_permission', 'last_admin'],
    audit: 'member.removed',
  }),
};
