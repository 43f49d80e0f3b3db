import { infiniteQueryOptions } from '@tanstack/react-query';
import { api, type Reply } from '../../app/api.ts';
import { keys } from '../../queries/keys.ts';

export type Member = Reply<'listUsers'>['data'][number];
export type Invitation = Reply<'listInvitations'>['data'][number];

export type TeamView = 'members' | 'invitations';

/** The team of an agency; users of its clients are not part of it. */
export const partnerMembersQuery = (partnerId: string) => {
  const filters = { partnerId, role: 'PARTNER' as const };
  return infiniteQueryOptions({
    queryKey: keys.users.list(filters),
    queryFn: ({ pageParam, signal }) => api.listUsers({ query: { ...filters, cursor: pageParam || undefined }, signal }),
    initialPageParam: '',
    getNextPageParam: (page) => page.nextCursor,
  });
};

export const partnerInvitationsQuery = (partnerId: string) =>
  infiniteQueryOptions({
    queryKey: keys.invitations.of({ partnerId }),
    queryFn: ({ pageParam, signal }) => api.listInvitations({ query: { partnerId, cursor: pageParam || undefined }, signal }),
    initialPageParam: '',
    getNextPageParam: (page) => page.nextCursor,
  });
