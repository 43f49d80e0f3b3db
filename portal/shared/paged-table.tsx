import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query';
import type { ComponentProps, ReactNode } from 'react';
import { ErrorBlock } from './error-block.tsx';
import { SkeletonRows } from '../ui/feedback/skeleton.tsx';
import { Table, TableFoot } from '../ui/table/table.tsx';

type Paged<Row> = UseInfiniteQueryResult<InfiniteData<{ data: Row[] }>>;
type Props<Row> = Omit<ComponentProps<typeof Table<Row>>, 'rows' | 'foot'> & {
  list: Paged<Row>;
  /** What stands there instead of a table without rows. */
  empty: ReactNode;
  /** Rows drawn while the first page is on its way. */
  expected?: number;
};

/** A list in pages as a table: what failed, what is awaited, nothing, or the rows read so far and the way to more. */
export function PagedTable<Row>({ list, empty, expected = 8, ...table }: Props<Row>) {
  const rows = rowsOf(list);
  return (
    <>
      {list.error ? <ErrorBlock error={list.error} onRetry={() => void list.refetch()} /> : null}
      {!list.data && !list.error ? (
        <SkeletonRows rows={expected} height={table.dense ? 34 : 40} label={`Loading ${table.label.toLowerCase()}`} />
      ) : null}
      {list.data && rows.length === 0 ? empty : null}
      {rows.length > 0 ? (
        <Table
          {...table}
          rows={rows}
          foot={
            <TableFoot
              shown={rows.length}
              hasMore={list.hasNextPage}
              isLoading={list.isFetchingNextPage}
              onMore={() => void list.fetchNextPage()}
              canOpen={table.onOpen !== undefined}
              canChoose={table.onToggle !== undefined}
            />
          }
        />
      ) : null}
    </>
  );
}

/** The rows of every page read so far; none before the first. */
export function rowsOf<Row>({ data }: Pick<Paged<Row>, 'data'>): Row[] {
  return data?.pages.flatMap((page) => page.data) ?? [];
}
