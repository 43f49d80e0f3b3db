import { Link } from '@tanstack/react-router';
import { ChevronDown } from 'lucide-react';
import { formatAge, formatUtc } from '../../ui/text/format.ts';
import type { WorkItem } from '../../queries/work-queue.ts';
import { Kbd } from '../../ui/layout/layout.tsx';
import { Mark } from '../../ui/feedback/mark.tsx';
import { Menu } from '../../ui/overlays/menu.tsx';
import { Segmented } from '../../ui/controls/segmented.tsx';
import { KINDS, keyOf, summaryOf, type QueueSearch } from './item.ts';
import { OwnerMark } from './owner.tsx';
import '../../ui/controls/button.css';

/** Filter and sort order of the queue. */
export function QueueHead({
  items,
  readerId,
  search,
  onSearch,
}: {
  items: readonly WorkItem[];
  readerId: string;
  search: QueueSearch;
  onSearch: (change: QueueSearch) => void;
}) {
  const mine = items.filter((item) => item.ownerId === readerId).length;
  const unowned = items.filter((item) => item.ownerId === null).length;
  const isUrgent = search.sort === 'urgent';
  return (
    <div className="flex min-h-12 flex-wrap items-center gap-x-3 gap-y-1 border-b border-line py-2 pr-4 pl-5 max-md:px-4">
      <Segmented
        label="Which items"
        value={search.show ?? 'all'}
        onChange={(show) => onSearch({ show: show === 'all' ? undefined : show, item: undefined })}
        options={[
          { value: 'all', label: `All ${items.length}` },
          { value: 'mine', label: `Mine ${mine}` },
          { value: 'unowned', label: `Unassigned ${unowned}` },
        ]}
      />
      <Menu
        label="Order"
        items={[
          { label: 'Oldest first', onPick: () => onSearch({ sort: undefined }), checked: !isUrgent, isChoice: true },
          { label: 'Urgent, then oldest', onPick: () => onSearch({ sort: 'urgent' }), checked: isUrgent, isChoice: true },
        ]}
        trigger={
          <button type="button" className="button button-quiet button-small ml-auto">
            {isUrgent ? 'Urgent, then oldest' : 'Oldest first'}
            <ChevronDown className="icon-small" aria-hidden />
          </button>
        }
      />
    </div>
  );
}

type ListProps = { items: readonly WorkItem[]; search: QueueSearch; openKey: string | undefined; onOpen: (key: string) => void };

/** The items, each a link that opens next to the list. */
export function QueueList({ items, search, openKey, onOpen }: ListProps) {
  return (
    <ul>
      {items.map((item) => (
        <li key={keyOf(item)} className="border-b border-line-soft">
          <Link
            to="/admin"
            search={{ ...search, item: keyOf(item) }}
            replace
            data-item={keyOf(item)}
            aria-current={keyOf(item) === openKey ? 'true' : undefined}
            data-open={keyOf(item) === openKey ? '' : undefined}
            onClick={(event) => {
              // With one of these keys it opens elsewhere.
              if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
              event.preventDefault();
              onOpen(keyOf(item));
            }}
            className="flex gap-3 py-2.25 pr-4 pl-5 hover:bg-hover focus-visible:-outline-offset-2 lg:data-open:bg-accent-wash lg:data-open:shadow-[inset_2px_0_0_var(--color-accent-mark)] max-md:px-4"
          >
            <Mark kind={KINDS[item.kind].mark} className="mt-0.75" />
            <span className="min-w-0 flex-1">
              <span className="flex items-baseline gap-2">
                <span className="truncate font-medium">{item.partnerName}</span>
                <span className="flex-none text-ink-3">{KINDS[item.kind].word}</span>
                <time dateTime={item.since} title={formatUtc(item.since)} className="tabular-nums ml-auto flex-none text-xs text-ink-3">
                  {formatAge(item.since)}
                </time>
              </span>
              <span className="flex items-center gap-2">
                <span className="min-w-0 flex-1 truncate text-ink-2">{summaryOf(item)}</span>
                <OwnerMark item={item} />
              </span>
            </span>
          </Link>
        </li>
      ))}
    </ul>
  );
}

export function QueueKeys() {
  return (
    <p data-keys-foot className="mt-auto hidden gap-2 border-t border-line px-5 py-2.5 text-xs text-ink-3 md:flex">
      <span>
        <Kbd>J</Kbd> <Kbd>K</Kbd> move
      </span>
      <span>
        <Kbd>Enter</Kbd> open
      </span>
      <span>
        <Kbd>A</Kbd> approve
      </span>
      <span>
        <Kbd>R</Kbd> reject
      </span>
      <span>
        <Kbd>M</Kbd> assign
      </span>
    </p>
  );
}
