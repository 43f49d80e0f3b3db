import { useQuery } from '@tanstack/react-query';
import { ArrowLeft } from 'lucide-react';
import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useLiveRequests } from '../../queries/agent-requests.ts';
import { codeOf } from '../../app/errors.ts';
import { useKeys } from '../../ui/keyboard/key-bindings.ts';
import { useUser } from '../../app/session.ts';
import { TWO_COLUMNS, useMediaQuery } from '../../ui/hooks/use-media-query.ts';
import { useTitle } from '../../ui/hooks/use-title.ts';
import { type WorkItem, workQueueQuery } from '../../queries/work-queue.ts';
import { Button } from '../../ui/controls/button.tsx';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { Loaded } from '../../shared/loaded.tsx';
import { SkeletonRows } from '../../ui/feedback/skeleton.tsx';
import { type Approved, ApprovedDialog } from './approve-dialog.tsx';
import { arrange, keyOf, type QueueSearch } from './item.ts';
import { ItemPane, type RequestItem } from './item-pane.tsx';
import { OpenItemProvider, useItemNextToList } from './open-item.ts';
import { OverdueNote } from './overdue-note.tsx';
import { QueueHead, QueueKeys, QueueList } from './queue-list.tsx';

type Props = {
  search: QueueSearch;
  /** Resolves when the address has changed, to the item that it then names. */
  onSearch: (change: QueueSearch) => Promise<string | undefined>;
  /** Renders an agent request; `owner` is shown next to its actions. */
  agentRequest: (request: RequestItem, owner: ReactNode) => ReactNode;
};

/** The work queue with the open item next to the list, or in its place on phones. */
export function QueuePage({ search, onSearch, agentRequest }: Props) {
  useTitle('Work queue');
  const queue = useQuery(workQueueQuery);
  const user = useUser();
  // Setups and comparisons with the engine reach every page of staff (use-unread.ts); the rest is polled each minute.
  useLiveRequests(undefined);
  const pane = useRef<HTMLElement>(null);
  const list = useRef<HTMLElement>(null);
  const isNextToList = useMediaQuery(TWO_COLUMNS);
  const [approved, setApproved] = useState<Approved>();
  const items = queue.data ?? [];
  const shown = arrange(items, search, user.id);
  const [chosen, choose] = useChosen(search.item, onSearch);
  const view = `${search.show ?? ''} ${search.sort ?? ''}`;
  const {
    item: open,
    place,
    isListed,
    isSettled,
    onDecided,
  } = useItemNextToList(chosen, view, { items, shown, updatedAt: queue.dataUpdatedAt });
  const isChosen = open !== undefined && keyOf(open) === chosen;
  // After a decision the address follows to the item that took its place; where the item has the place of the list, the list is shown again: nothing
  // else that can be decided appears under the thumb.
  const wasOpen = useRef<string>(undefined);
  useEffect(() => {
    const isGone = chosen !== undefined && wasOpen.current === chosen && !isChosen && queue.data !== undefined;
    wasOpen.current = isChosen ? chosen : undefined;
    if (!isGone) return;
    choose({ item: isNextToList && open ? keyOf(open) : undefined });
    // The focused element was removed with the item.
    if (document.activeElement === document.body) (isNextToList ? pane : list).current?.focus();
  }, [chosen, isChosen, queue.data, open, choose, isNextToList]);
  const move = (step: number) => (): void => {
    // From the focused item, which Tab may have moved to.
    const focused = document.activeElement?.closest<HTMLElement>('[data-item]')?.dataset['item'];
    const here = shown.findIndex((item) => keyOf(item) === focused);
    // In the place of an item that left the list there is the next one.
    const from = here >= 0 ? here : isListed ? place : step > 0 ? place - 1 : place;
    const steps = here >= 0 || isChosen || !isListed ? step : 0;
    const next = shown[Math.min(Math.max(from + steps, 0), shown.length - 1)];
    if (!next) return;
    // Shown before the next key comes, which acts on what is shown.
    flushSync(() => choose({ item: keyOf(next) }));
    const link = document.querySelector<HTMLElement>(`[data-item="${CSS.escape(keyOf(next))}"]`);
    link?.focus({ preventScroll: true });
    link?.scrollIntoView({ block: 'nearest' });
  };
  useKeys([
    { keys: 'j', label: 'Next item', group: 'Lists', run: move(1) },
    { keys: 'k', label: 'Previous item', group: 'Lists', run: move(-1) },
  ]);
  const opened = useMemo(() => ({ isSettled, onDecided }), [isSettled, onDecided]);
  const focusPane = (): void => void requestAnimationFrame(() => pane.current?.focus());
  return (
    <div className="-mx-8 -mt-6 -mb-12 grid max-md:-mx-4 max-md:-mt-4 max-md:-mb-8 lg:h-[calc(100dvh-48px-var(--bars,0px))] lg:grid-cols-[392px_minmax(0,1fr)]">
      <h1 className="sr-only">Work queue</h1>
      <section
        ref={list}
        tabIndex={-1}
        aria-label="Items"
        className={`flex min-h-0 min-w-0 flex-col border-line outline-0 lg:border-r ${isChosen ? 'max-lg:hidden' : ''}`}
      >
        <QueueHead items={items} readerId={user.id} search={search} onSearch={choose} />
        <div className="min-h-0 flex-1 overflow-y-auto">
          <OverdueNote />
          <Items queue={queue} shown={shown} all={items.length}>
            <QueueList
              items={shown}
              search={search}
              openKey={open && keyOf(open)}
              onOpen={(item) => {
                choose({ item });
                focusPane();
              }}
            />
          </Items>
        </div>
        <QueueKeys />
      </section>
      <section
        ref={pane}
        tabIndex={-1}
        aria-label="The open item"
        className={`min-w-0 px-8 py-6 outline-0 max-md:px-4 max-md:py-4 lg:overflow-y-auto ${isChosen ? '' : 'max-lg:hidden'}`}
      >
        {isChosen ? (
          <Button
            kind="quiet"
            className="mb-3 -ml-2 lg:!hidden"
            icon={<ArrowLeft aria-hidden />}
            onClick={() => choose({ item: undefined })}
          >
            All items
          </Button>
        ) : null}
        {open ? (
          <OpenItemProvider value={opened}>
            <ItemPane key={keyOf(open)} item={open} isChosen={isChosen} agentRequest={agentRequest} onApproved={setApproved} />
          </OpenItemProvider>
        ) : null}
      </section>
      <ApprovedDialog approved={approved} onClose={() => setApproved(undefined)} />
    </div>
  );
}

/**
 * The open item, and what opens another. The item changes at once and the address follows: until it has, a key would act on the item of before.
 * An earlier change that arrives late is passed over.
 */
function useChosen(inAddress: string | undefined, onSearch: Props['onSearch']): [string | undefined, (change: QueueSearch) => void] {
  const [ahead, setAhead] = useState<{ item: string | undefined; isUnderWay: boolean }>();
  const latest = useRef(ahead);
  const choose = useCallback(
    (change: QueueSearch): void => {
      const done = onSearch(change);
      if (!('item' in change)) return;
      const mine = { item: change.item, isUnderWay: true };
      latest.current = mine;
      setAhead(mine);
      // Another change of the address, such as by a link, may have taken the place of this one.
      const settle = (item: string | undefined): void => {
        if (latest.current === mine) setAhead(item === mine.item ? { ...mine, isUnderWay: false } : undefined);
      };
      void done.then(settle, () => settle(undefined));
    },
    [onSearch],
  );
  useEffect(() => {
    if (ahead && !ahead.isUnderWay && ahead.item === inAddress) setAhead(undefined);
  }, [ahead, inAddress]);
  return [ahead ? ahead.item : inAddress, choose];
}

type Queue = { error: unknown; data: readonly WorkItem[] | undefined; refetch: () => unknown };

function Items({ queue, shown, all, children }: { queue: Queue; shown: readonly WorkItem[]; all: number; children: ReactNode }) {
  // Too many requests: the next poll follows.
  const query = codeOf(queue.error) === 'rate_limited' ? { ...queue, error: null } : queue;
  return (
    <Loaded query={query} className="px-5 py-4" skeleton={<SkeletonRows rows={6} height={58} label="Loading the work queue" />}>
      {() => (shown.length > 0 ? children : <NothingShown all={all} />)}
    </Loaded>
  );
}

function NothingShown({ all }: { all: number }) {
  return (
    <div className="p-5">
      {all === 0 ? (
        <EmptyState title="Nothing to do">
          Applications, requests, failed setups and agents that were changed in the engine appear here, oldest first.
        </EmptyState>
      ) : (
        <EmptyState title="No items in this view">{all === 1 ? 'One item is waiting' : `${all} items are waiting`} under All.</EmptyState>
      )}
    </div>
  );
}
