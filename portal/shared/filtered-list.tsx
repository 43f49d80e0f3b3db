import type { FilteredTable } from '@partner-portal/contract/vocabulary.ts';
import { type ComponentProps, type ReactNode, useCallback } from 'react';
import type { SearchChange } from '../app/search-state.ts';
import { NoMatch } from '../ui/feedback/no-match.tsx';
import { FilterBar } from '../ui/table/filter-bar.tsx';
import { shownColumns, TableTools, type TableView } from '../ui/table/table-tools.tsx';
import { PagedTable } from './paged-table.tsx';
import { SavedFilters } from './saved-filters.tsx';

type Props<Row, Search extends object> = Omit<ComponentProps<typeof PagedTable<Row>>, 'empty' | 'onClear' | 'sorting' | 'dense'> & {
  /** What the address of the page holds, and what changes it. */
  search: Search;
  onSearch: (change: SearchChange<Search>) => void;
  /** The members of the address that filter the list: they are removed together. */
  filters: readonly (keyof Search & string)[];
  chips?: ReactNode;
  /** What the text filter looks in; without it there is none. It is the member `q`, unless `text` gives another one. */
  placeholder?: string;
  text?: { value: string | undefined; onText: (text: string | undefined) => void };
  /** The name by which the user saves filters of this list. A filter holds those of the list, and further members of the address. */
  saved?: FilteredTable;
  savedWith?: readonly string[];
  /** Density and columns, as chosen on this device, and the columns that can be hidden. */
  view?: TableView;
  hideable?: readonly { key: string; word: string }[];
  dense?: boolean;
  /** Before the saved filters, and after them. */
  tools?: ReactNode;
  moreTools?: ReactNode;
  /** Between the filters and the rows. */
  children?: ReactNode;
  /** Shown when there are no rows and no filter is set. */
  none: ReactNode;
  /** Shown when no row matches the filters; a word names the rows: "No client matches". */
  noMatch: string | ((clear: () => void) => ReactNode);
};

/**
 * A list of a page: its filters, text filter, saved filters, columns and export above its rows, which are loaded page by page. Headings of columns with orders
 * sort them. The address holds the filters and the order, under the names of `search`.
 */
export function FilteredList<Row, Search extends object>({
  search,
  onSearch,
  filters,
  chips,
  placeholder,
  text,
  saved,
  savedWith = [],
  view,
  hideable,
  dense = false,
  tools,
  moreTools,
  children,
  none,
  noMatch,
  columns,
  ...table
}: Props<Row, Search>) {
  const { q, sort } = search as { q?: string; sort?: string }; // members of these names are the text and the order
  const set = useCallback(
    (change: { q?: string | undefined; sort?: string | undefined }) => onSearch(change as SearchChange<Search>),
    [onSearch],
  );
  const onText = useCallback((next: string | undefined) => set({ q: next }), [set]);
  const clear = (): void => onSearch(Object.fromEntries(filters.map((name) => [name, undefined])) as SearchChange<Search>); // without values
  const isFiltered = filters.some((name) => search[name] !== undefined);
  const shown = text ?? (placeholder === undefined ? undefined : { value: q, onText });
  const empty = typeof noMatch === 'string' ? <NoMatch what={noMatch} q={q} onClear={clear} /> : noMatch(clear);
  return (
    <>
      <FilterBar
        chips={chips}
        {...(shown ? { text: shown.value, onText: shown.onText } : {})}
        {...(placeholder === undefined ? {} : { placeholder })}
        tools={
          <>
            {tools}
            {saved ? <SavedFilters table={saved} keys={[...savedWith, ...filters]} /> : null}
            {view && hideable ? <TableTools view={view} choices={hideable} /> : null}
            {moreTools}
          </>
        }
      />
      {children}
      <PagedTable
        {...table}
        columns={view ? shownColumns(columns, view) : columns}
        dense={view?.isDense ?? dense}
        empty={isFiltered ? empty : none}
        {...(isFiltered ? { onClear: clear } : {})}
        sorting={{ by: sort, onSort: (by) => set({ sort: by }) }}
      />
    </>
  );
}
