import { USAGE_KINDS, type UsageKind } from '@partner-portal/contract/vocabulary.ts';
import { choiceParam, idParam, onlySet } from '../../app/search-params.ts';

/** What is open beside the page, and the kind of ledger entries shown. */
export type PartnerBillingSearch = { edit?: 'terms' | undefined; invoice?: string | undefined; kind?: UsageKind | undefined };

export function parsePartnerBillingSearch(search: Record<string, unknown>): PartnerBillingSearch {
  return onlySet({
    edit: choiceParam(['terms'] as const, search['edit']),
    invoice: idParam(search['invoice']),
    kind: choiceParam(USAGE_KINDS, search['kind']),
  });
}
