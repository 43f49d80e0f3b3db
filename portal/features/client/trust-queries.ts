import { queryOptions } from '@tanstack/react-query';
import { api } from '../../app/api.ts';
import { pagedQuery } from '../../app/paged-query.ts';
import { keys } from '../../queries/keys.ts';

export const trustQuery = queryOptions({ queryKey: keys.client.trust, queryFn: ({ signal }) => api.getMyTrust({ signal }) });
export const peopleQuery = queryOptions({ queryKey: keys.client.people, queryFn: ({ signal }) => api.getMyPeople({ signal }) });
export const accessLogQuery = pagedQuery(keys.client.accessLog, ({ cursor, signal }) => api.listMyAccessLog({ query: { cursor }, signal }));
