import {
  ACCOUNT_SCOPES,
  type AccountScope,
  DELETION_REQUEST_STATUSES,
  type DeletionRequestStatus,
  REACTIVATION_REQUEST_STATUSES,
  type ReactivationRequestStatus,
} from '@partner-portal/contract/vocabulary.ts';
import { choiceParam, idParam, onlySet } from '../../app/search-params.ts';
import type { DeletionFilters, ReactivationFilters } from '../../queries/account.ts';

/** `show` defaults to deletions; `request` is the open one. */
export type AccountRequestsSearch = {
  show?: 'reactivation' | undefined;
  status?: DeletionRequestStatus | ReactivationRequestStatus | undefined;
  scope?: AccountScope | undefined;
  request?: string | undefined;
};

export function parseAccountRequestsSearch(search: Record<string, unknown>): AccountRequestsSearch {
  const show = choiceParam(['reactivation'] as const, search.show);
  return onlySet({
    show,
    status: show ? choiceParam(REACTIVATION_REQUEST_STATUSES, search.status) : choiceParam(DELETION_REQUEST_STATUSES, search.status),
    scope: choiceParam(ACCOUNT_SCOPES, search.scope),
    request: idParam(search.request),
  });
}

export function deletionFilters({ status, scope }: AccountRequestsSearch): DeletionFilters {
  return onlySet({ status: choiceParam(DELETION_REQUEST_STATUSES, status), scope });
}

export function reactivationFilters({ status, scope }: AccountRequestsSearch): ReactivationFilters {
  return onlySet({ status: choiceParam(REACTIVATION_REQUEST_STATUSES, status), scope });
}
