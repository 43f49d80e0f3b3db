import type { AccountScope } from '@partner-portal/contract/vocabulary.ts';

type Filters<Status> = { clientId?: string | undefined; scope?: AccountScope | undefined; status?: Status | undefined };
/** Filters of a list of requests about accounts, within the caller's scope; without a partner those of all. */
export type RequestFilters<Status> = Filters<Status> & { partnerId: string | null };
export type RequestQuery<Status> = Filters<Status> & { partnerId?: string | undefined; limit: number; cursor?: string | undefined };

/** The requests `r` of a page, newest first; its values are `listedBy`. */
export const LISTED = `where ($1::uuid is null or r.partner_id = $1) and ($2::uuid is null or r.client_id = $2) and ($3::text is null or r.scope = $3)
        and ($4::text is null or r.status = $4) and ($5::uuid is null or r.id < $5)
      order by r.id desc limit $6`;

export function listedBy<Status>({ partnerId, clientId, scope, status }: RequestFilters<Status>, before: string | null, limit: number) {
  return [partnerId, clientId ?? null, scope ?? null, status ?? null, before, limit] as const;
}
