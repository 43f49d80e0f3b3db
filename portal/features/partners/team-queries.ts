import { api, type Reply } from '../../app/api.ts';
import { pagedQuery } from '../../app/paged-query.ts';
import { keys } from '../../queries/keys.ts';

export type Member = Reply<'listUsers'>['data'][number];
export type Invitation = Reply<'listInvitations'>['data'][number];

export type TeamView = 'members' | 'invitations';

/** The team of an agency; users of its clients are not part of it. */
export const partnerMembersQuery = (partnerId: string) => {
  const filters = { partnerId, role: 'PARTNER' as const };
  return pagedQuery(keys.users.list(filters), ({ cursor, signal }) => api.listUsers({ query: { ...filters, cursor }, signal }));
};

export const partnerInvitationsQuery = (partnerId: string) =>
  pagedQuery(keys.invitations.of({ partnerId }), ({ cursor, signal }) => api.listInvitations({ query: { partnerId, cursor }, signal }));
