import { USAGE_KINDS } from '@partner-portal/contract/vocabulary.ts';
import { usageOrder } from '../../shared/usage-orders.ts';
import { oneOf, type SearchOf, searchParser } from '../../app/search-params.ts';

const SPANS = ['month', '7d', '30d', '90d'] as const;
export type Span = (typeof SPANS)[number];
const GROUPS = ['day', 'client', 'agent'] as const;
export type UsageGroup = (typeof GROUPS)[number];

/** `sort` is the order of the rows by client or agent. */
export const parseUsageSearch = searchParser({ span: oneOf(SPANS), by: oneOf(GROUPS), kind: oneOf(USAGE_KINDS), sort: usageOrder });
export type UsageSearch = SearchOf<typeof parseUsageSearch>;
