import type { AccountScope, DeletionRequestStatus, ReactivationRequestStatus } from '@partner-portal/contract/vocabulary.ts';
import { queryOptions } from '@tanstack/react-query';
import { api, type Reply } from '../app/api.ts';
import { pagedQuery } from '../app/paged-query.ts';
import { keys } from './keys.ts';

export type DeletionRequest = Reply<'getDeletionRequest'>;
export type DeletionPreview = Reply<'previewDeletion'>;
export type ReactivationRequest = Reply<'listReactivationRequests'>['data'][number];
export type AccountExport = Reply<'getExport'>;
export type Purge = Reply<'getPurge'>;

/** An agency or a client. The own one needs no id; staff name the agency, agencies the client. */
export type AccountRef = { scope: AccountScope; partnerId?: string | undefined; clientId?: string | undefined };

export type DeletionFilters = Partial<AccountRef> & { status?: DeletionRequestStatus | undefined };
export type ReactivationFilters = Partial<AccountRef> & { status?: ReactivationRequestStatus | undefined };

export const deletionsQuery = (filters: DeletionFilters) =>
  pagedQuery(keys.account.deletions(filters), ({ cursor, signal }) => api.listDeletionRequests({ query: { ...filters, cursor }, signal }));

export const reactivationsQuery = (filters: ReactivationFilters) =>
  pagedQuery(keys.account.reactivations(filters), ({ cursor, signal }) =>
    api.listReactivationRequests({ query: { ...filters, cursor }, signal }),
  );

/** What the deletion of an account would stop and remove now. */
export const deletionPreviewQuery = (account: AccountRef) =>
  queryOptions({
    queryKey: keys.account.preview(account),
    queryFn: ({ signal }) => api.previewDeletion({ query: account, signal }),
  });

export const exportFilters = ({ partnerId, clientId }: AccountRef) => ({ partnerId, clientId });

/** Exports of an agency with its clients, or of one client. */
export const exportsQuery = (account: AccountRef) => {
  const filters = exportFilters(account);
  return pagedQuery(keys.account.exportsOf(filters), ({ cursor, signal }) => api.listExports({ query: { ...filters, cursor }, signal }));
};

export const purgeQuery = (requestId: string) =>
  queryOptions({
    queryKey: keys.account.purge(requestId),
    queryFn: ({ signal }) => api.getPurge({ params: { id: requestId }, signal }),
    retry: false,
  });
