import { queryOptions } from '@tanstack/react-query';
import { api, type Reply } from '../../app/api.ts';
import { keys } from '../../queries/keys.ts';

export type Invitation = Reply<'getInvitationByToken'>;

/** The invitation of a link in a mail. */
export const invitationQuery = (token: string) =>
  queryOptions({
    queryKey: keys.invitation(token),
    queryFn: ({ signal }) => api.getInvitationByToken({ params: { token }, signal }),
    retry: false,
    staleTime: Infinity,
  });
