import { EVENT_TYPES, type EventType } from '@partner-portal/contract/vocabulary.ts';
import { choiceParam, onlySet } from '../../app/search-params.ts';

const TABS = ['events', 'verify'] as const;
export type DeveloperSearch = { tab?: (typeof TABS)[number] | undefined; event?: EventType | undefined };

export function parseDeveloperSearch(search: Record<string, unknown>): DeveloperSearch {
  const tab = choiceParam(TABS, search.tab);
  return onlySet({ tab, event: tab === 'events' ? choiceParam(EVENT_TYPES, search.event) : undefined });
}
