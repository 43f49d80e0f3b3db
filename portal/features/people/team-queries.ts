import { api, type Reply } from '../../app/api.ts';
import { pagedQuery } from '../../app/paged-query.ts';
import { keys } from '../../queries/keys.ts';

export type Member = Reply<'listTeam'>['data'][number];

/** Members of the agency, and how many of its seats are taken. */
export const teamQuery = pagedQuery(keys.team, ({ cursor, signal }) => api.listTeam({ query: { cursor }, signal }));

export type Invitation = Reply<'listInvitations'>['data'][number];
export type InvitationScope = { kind: 'team' } | { kind: 'client_user'; clientId: string };

export const invitationsQuery = (scope: InvitationScope) =>
  pagedQuery(keys.invitations.of(scope), ({ cursor, signal }) => api.listInvitations({ query: { ...scope, cursor }, signal }));
