import { WORK_ITEM_KINDS, type WorkItemKind } from '@partner-portal/contract/vocabulary.ts';
import type { WorkItem } from '../../queries/work-queue.ts';
import { choiceParam, idParam, oneOf, type SearchOf, searchParser } from '../../app/search-params.ts';
import type { MarkKind } from '../../ui/feedback/mark.tsx';

/** `item` is the open item as "kind.id"; `show` and `sort` default to all items, oldest first. */
export const parseQueueSearch = searchParser({ item: itemParam, show: oneOf(['mine', 'unowned']), sort: oneOf(['urgent']) });
export type QueueSearch = SearchOf<typeof parseQueueSearch>;

export const KINDS: Readonly<Record<WorkItemKind, { word: string; mark: MarkKind }>> = {
  application: { word: 'Application', mark: 'wait' },
  plan_request: { word: 'Plan request', mark: 'wait' },
  agent_request: { word: 'Agent request', mark: 'wait' },
  deletion_request: { word: 'Deletion', mark: 'wait' },
  reactivation_request: { word: 'Reactivation', mark: 'wait' },
  name_review: { word: 'Name to look at', mark: 'warn' },
  failed_setup: { word: 'Setup failed', mark: 'bad' },
  stuck_attempt: { word: 'Stuck attempt', mark: 'warn' },
  drift: { word: 'Agents differ', mark: 'warn' },
};

export function keyOf({ kind, itemId }: Pick<WorkItem, 'kind' | 'itemId'>): string {
  return `${kind}.${itemId}`;
}

/** Returns the line below the partner's name: the request, how many agents differ, or the error. */
export function summaryOf({ kind, title, detail }: WorkItem): string {
  return kind === 'agent_request' || kind === 'drift' ? title : detail || title;
}

/** Filters items by owner and sorts them, stalled items first if requested. */
export function arrange(items: readonly WorkItem[], search: QueueSearch, readerId: string): WorkItem[] {
  const shown = items.filter((item) =>
    search.show === 'mine' ? item.ownerId === readerId : search.show === 'unowned' ? item.ownerId === null : true,
  );
  const urgency = (item: WorkItem): number => ({ bad: 0, warn: 1 })[KINDS[item.kind].mark as 'bad' | 'warn'] ?? 2;
  return search.sort === 'urgent' ? shown.toSorted((a, b) => urgency(a) - urgency(b)) : shown;
}

function itemParam(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  const [kind, id] = value.split('.');
  return choiceParam(WORK_ITEM_KINDS, kind) && idParam(id) ? value : undefined;
}
