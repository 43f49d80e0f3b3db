import { USAGE_KINDS, type UsageKind } from '@partner-portal/contract/vocabulary.ts';
import { choiceParam, onlySet } from '../../app/search-params.ts';

const SPANS = ['month', '7d', '30d', '90d'] as const;
export type Span = (typeof SPANS)[number];
const GROUPS = ['day', 'client', 'agent'] as const;
export type UsageGroup = (typeof GROUPS)[number];
export type UsageSearch = { span?: Span | undefined; by?: UsageGroup | undefined; kind?: UsageKind | undefined };

export function parseUsageSearch(search: Record<string, unknown>): UsageSearch {
  return onlySet({
    span: choiceParam(SPANS, search.span),
    by: choiceParam(GROUPS, search.by),
    kind: choiceParam(USAGE_KINDS, search.kind),
  });
}
