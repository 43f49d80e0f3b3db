import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query';
import { type ComponentProps, type ReactNode, startTransition, useDeferredValue, useEffect, useRef, useState } from 'react';
import { readerTag, useUiText } from '../ui/text/reader.ts';
import { WIDER_THAN_PHONE } from '../ui/hooks/use-media-query.ts';
import { isReturned } from '../ui/layout/after-paint.tsx';
import { Button } from '../ui/controls/button.tsx';
import { EmptyState } from '../ui/feedback/empty-state.tsx';
import { ErrorBlock } from './error-block.tsx';
import { SkeletonRows } from '../ui/feedback/skeleton.tsx';
import { Table, TableFoot } from '../ui/table/table.tsx';
import { loadMore } from './load-more.ts';
import { MoreFailed } from './more-failed.tsx';

type Paged<Row> = UseInfiniteQueryResult<InfiniteData<{ data: Row[] }>>;
type Props<Row> = Omit<ComponentProps<typeof Table<Row>>, 'rows' | 'foot'> & {
  list: Paged<Row>;
  /** Shown instead of a table without rows. */
  empty: ReactNode;
  /** Number of skeleton rows while the first page loads. */
  expected?: number;
  /** Whether what is shown above the table is still being read: the rows appear with it, and do not move. */
  isHeld?: boolean;
  /** Clears the filters; offered when none of the newest rows matches and older ones may. */
  onClear?: () => void;
  /** Number of rows of the next page, for a list whose pages do not have 25 rows. */
  step?: number | undefined;
};

/** Number of rows that fit on a phone. They are rendered first; the others follow in slices of this size. */
const FIRST_ROWS = 8;

/** A paginated list as a table, with its error, loading and empty states and a button that loads more. */
export function PagedTable<Row>({ list, empty, expected = 8, isHeld = false, onClear, step, ...table }: Props<Row>) {
  const t = useUiText();
  const rows = rowsOf(list);
  // The first rows are rendered in slices, which leave the browser free in between.
  const isReady = rows.length > 0 && !isHeld;
  const showsRows = useDeferredValue(isReady) && isReady;
  const [shown, setShown] = useState(() => (isReady || isReturned() || matchMedia(WIDER_THAN_PHONE).matches ? Infinity : FIRST_ROWS));
  useEffect(() => {
    if (showsRows && shown < Infinity) startTransition(() => setShown(shown < rows.length ? shown + FIRST_ROWS : Infinity));
  }, [showsRows, shown, rows.length]);
  const isLoading = list.data ? isHeld || (rows.length > 0 && !showsRows) : !list.error;
  const holder = useRef<HTMLDivElement>(null);
  const isSearching = useRef(false);
  useEffect(() => {
    if (!isSearching.current || !showsRows) return;
    // The button that had the focus is gone.
    isSearching.current = false;
    holder.current?.querySelector<HTMLElement>('tbody tr[tabindex], tbody a, tbody button')?.focus();
  }, [showsRows]);
  // The error is shown where the reader is: at the end of the list, next to the button that requested more.
  const lacksMore = list.isFetchNextPageError && rows.length > 0;
  return (
    <>
      {list.error && !lacksMore ? <ErrorBlock error={list.error} onRetry={() => void list.refetch()} /> : null}
      {isLoading ? (
        <SkeletonRows
          rows={expected}
          height={table.dense ? 34 : 40}
          label={t('ui.loading-list', { name: readerTag().startsWith('en') ? table.label.toLowerCase() : table.label })}
        />
      ) : null}
      {list.data && !isHeld && rows.length === 0 && list.hasNextPage ? (
        <NoneYet list={list} onSearch={() => (isSearching.current = true)} onClear={onClear} />
      ) : null}
      {list.data && !isHeld && rows.length === 0 && !list.hasNextPage ? empty : null}
      {showsRows ? (
        <div ref={holder} className="contents">
          <Table
            {...table}
            rows={shown < rows.length ? rows.slice(0, shown) : rows}
            foot={
              <>
                <MoreFailed list={list} />
                <TableFoot
                  shown={rows.length}
                  hasMore={list.hasNextPage}
                  isLoading={list.isFetchingNextPage}
                  step={step}
                  onMore={() => void loadMore(list)}
                  canOpen={table.onOpen !== undefined}
                  canChoose={table.onToggle !== undefined}
                  isOldestFirst={table.sorting?.by === 'oldest'}
                />
              </>
            }
          />
        </div>
      ) : null}
    </>
  );
}

/** A search looks at a bounded number of rows at a time: among the newest none matched. */
function NoneYet<Row>({ list, onSearch, onClear }: { list: Paged<Row>; onSearch: () => void; onClear: (() => void) | undefined }) {
  const t = useUiText();
  const search = (): void => {
    onSearch();
    void loadMore(list);
  };
  return (
    <EmptyState
      title={t('ui.none-yet')}
      actions={
        <>
          <Button size="sm" onClick={search} busy={list.isFetchingNextPage && t('ui.loading')}>
            {t('ui.search-older')}
          </Button>
          {onClear ? (
            <button type="button" className="link" onClick={onClear}>
              {t('ui.clearFilters')}
            </button>
          ) : null}
        </>
      }
    >
      {t('ui.none-yet-hint')}
    </EmptyState>
  );
}

/** Returns the rows of all pages loaded so far. */
export function rowsOf<Row>({ data }: Pick<Paged<Row>, 'data'>): Row[] {
  return data?.pages.flatMap((page) => page.data) ?? [];
}
