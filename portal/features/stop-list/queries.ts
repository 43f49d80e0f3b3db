import { api, type Reply } from '../../app/api.ts';
import { pagedQuery } from '../../app/paged-query.ts';
import { keys } from '../../queries/keys.ts';

export type StopListEntry = Reply<'listStopList'>['data'][number];

/** The contacts whom no agent of a client writes to; `q`: part of a number or an address. */
export const stopListQuery = (clientId: string, q: string | undefined) =>
  pagedQuery(keys.stopList.page(clientId, q), ({ cursor, signal }) =>
    api.listStopList({ params: { id: clientId }, query: { q, cursor }, signal }),
  );
