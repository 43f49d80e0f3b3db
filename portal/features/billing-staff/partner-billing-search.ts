import { USAGE_KINDS } from '@partner-portal/contract/vocabulary.ts';
import { idParam, oneOf, type SearchOf, searchParser } from '../../app/search-params.ts';

/** The drawer open next to the page, and the kind of ledger entries shown. */
export const parsePartnerBillingSearch = searchParser({ edit: oneOf(['terms']), invoice: idParam, kind: oneOf(USAGE_KINDS) });
export type PartnerBillingSearch = SearchOf<typeof parsePartnerBillingSearch>;
