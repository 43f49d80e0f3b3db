import clsx from 'clsx';
import { ArrowDown, ArrowUp } from 'lucide-react';
import { Fragment, type MouseEvent, type ReactNode, useRef, useState } from 'react';
import { useKeys } from '../keyboard/key-bindings.ts';
import { useUiText } from '../text/reader.ts';
import { RelativeTimes } from '../text/time.tsx';
import { Button } from '../controls/button.tsx';
import { Kbd } from '../layout/layout.tsx';
import '../layout/panel.css';
import './duration-bar.css';
import './table.css';

export type Column<Row> = {
  key: string;
  head: ReactNode;
  cell: (row: Row) => ReactNode;
  align?: 'start' | 'end' | 'center';
  /** `phone`: hidden on a phone. The second line of the lead column then shows the rest. */
  hide?: 'phone';
  /** The first text column: a link, cut with an ellipsis; `wide` leaves space for a sentence. */
  lead?: boolean | 'wide';
  /** The orders that this column gives the rows, the one that is chosen first at the front. */
  sort?: readonly [first: Order, second: Order];
};

/** One order of the rows. Its name is what the address of the page has; the order that rows have without a choice has none. */
export type Order = { name: string | undefined; direction: 'ascending' | 'descending' };
/** The order that is chosen, and the function that chooses another one. */
export type Sorting = { by: string | undefined; onSort: (by: string | undefined) => void };

type TableProps<Row> = {
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => string;
  /** Opens a row (Enter, or a click next to its link). Clicks with a modifier key are left to the link. */
  onOpen?: (row: Row) => void;
  openKey?: string | undefined;
  /** Rows selected with X; absent means rows cannot be selected. */
  chosen?: ReadonlySet<string>;
  onToggle?: (key: string) => void;
  dense?: boolean;
  /** Heading of the row's group; shown above the first row of each group. */
  groupOf?: (row: Row) => string;
  /** Keys of rows that just arrived; they are highlighted once. */
  arrived?: ReadonlySet<string>;
  isBad?: (row: Row) => boolean;
  /** Makes the headings of columns with orders buttons. */
  sorting?: Sorting | undefined;
  foot?: ReactNode;
};

/** A table with sticky headings; J and K move, Enter opens, X selects. */
export function Table<Row>(props: TableProps<Row>) {
  const { label, columns, rows, rowKey, dense, foot } = props;
  const body = useRef<HTMLTableSectionElement>(null);
  const active = useRowKeys(props, body);
  let group: string | undefined;
  return (
    <>
      <div className="panel table-panel">
        <table
          className="table"
          data-dense={dense ? '' : undefined}
          data-tight={columns.length >= 8 ? '' : undefined}
          data-two-line=""
          aria-label={label}
        >
          <thead className="table-sticky-header">
            <tr>
              {columns.map(({ key, head, align, hide, sort }) => (
                <Heading key={key} {...{ head, align, hide, sort }} sorting={props.sorting} />
              ))}
            </tr>
          </thead>
          <RelativeTimes>
            <tbody ref={body} onMouseOver={showFullText}>
              {rows.map((row, at) => {
                const nextGroup = props.groupOf?.(row);
                const startsGroup = nextGroup !== undefined && nextGroup !== group;
                group = nextGroup;
                return (
                  <Fragment key={rowKey(row)}>
                    {startsGroup ? (
                      <tr data-group="">
                        <td colSpan={columns.length}>{nextGroup}</td>
                      </tr>
                    ) : null}
                    <BodyRow {...props} row={row} isTabStop={at === active} />
                  </Fragment>
                );
              })}
            </tbody>
          </RelativeTimes>
        </table>
      </div>
      {foot}
    </>
  );
}

type HeadingProps = { [Name in 'head' | 'align' | 'hide' | 'sort']: Column<never>[Name] | undefined } & { sorting: Sorting | undefined };

/** The heading of a column; of one that orders the rows a button, which goes from its first order to its second and back. */
function Heading({ head, align, hide, sort, sorting }: HeadingProps) {
  const t = useUiText();
  if (!sort || !sorting)
    return (
      <th scope="col" data-align={align} data-hide={hide}>
        {head}
      </th>
    );
  const [first, second] = sort;
  const current = sort.find(({ name }) => name === sorting.by);
  const next = current === first ? second : first;
  const Arrow = (current ?? next).direction === 'ascending' ? ArrowUp : ArrowDown;
  return (
    // The cells are of “Started”, its button is “Sort: Started”.
    <th
      scope="col"
      data-align={align}
      data-hide={hide}
      aria-sort={current?.direction ?? 'none'}
      aria-label={typeof head === 'string' ? head : undefined}
    >
      <button type="button" className="table-sort" onClick={() => sorting.onSort(next.name)}>
        <span className="sr-only">{t('ui.sort')} </span>
        {head}
        <Arrow aria-hidden />
      </button>
    </th>
  );
}

/** Shows the full text on hover where the column is too narrow for it. */
function showFullText({ target }: MouseEvent): void {
  const cell = target instanceof Element ? target.closest('td') : null;
  if (!cell) return;
  const parts = [cell, ...cell.querySelectorAll<HTMLElement>('a, .table-second-line, .truncate')];
  const cut = parts.find((part) => part.clientWidth > 0 && part.scrollWidth > part.clientWidth);
  if (!cut) return;
  // A title set by the page takes precedence; one set here follows the cell's current text.
  if (cut.dataset.fullText === undefined && (cut.title || cut.querySelector('[title]'))) return;
  cut.dataset.fullText = '';
  cut.title = cut.innerText.split('\n')[0] ?? '';
}

function BodyRow<Row>({
  columns,
  row,
  rowKey,
  onOpen,
  openKey,
  chosen,
  arrived,
  isBad,
  isTabStop,
}: TableProps<Row> & { row: Row; isTabStop: boolean }) {
  const key = rowKey(row);
  const onClick = (event: MouseEvent): void => {
    if (!onOpen || event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return;
    if (event.target instanceof Element && event.target.closest('a, button, input, label, [role=switch]')) return;
    onOpen(row);
  };
  return (
    <tr
      data-row={key}
      data-selected={key === openKey ? '' : undefined}
      data-bad={isBad?.(row) ? '' : undefined}
      aria-selected={chosen ? chosen.has(key) : undefined}
      tabIndex={onOpen ? (isTabStop ? 0 : -1) : undefined}
      onClick={onClick}
      className={clsx(arrived?.has(key) && 'animate-arrive')}
    >
      {columns.map((column) => (
        <td
          key={column.key}
          data-align={column.align}
          data-hide={column.hide}
          className={column.lead ? (column.lead === 'wide' ? 'table-lead table-lead-wide' : 'table-lead') : undefined}
        >
          {column.cell(row)}
        </td>
      ))}
    </tr>
  );
}

/** Handles J, K, Enter and X on the rows; returns the row that Tab reaches. */
function useRowKeys<Row>({ rows, rowKey, onOpen, onToggle }: TableProps<Row>, body: { current: HTMLTableSectionElement | null }): number {
  const [active, setActive] = useState(0);
  const current = Math.min(active, Math.max(0, rows.length - 1));
  const focus = (at: number): void => {
    const row = rows[at];
    if (!row) return;
    setActive(at);
    const node = body.current?.querySelector<HTMLElement>(`[data-row="${CSS.escape(rowKey(row))}"]`);
    node?.focus({ preventScroll: true });
    node?.scrollIntoView({ block: 'nearest' });
  };
  const focusedAt = (): number => {
    const key = document.activeElement?.closest<HTMLElement>('[data-row]')?.dataset.row;
    return key === undefined || !body.current?.contains(document.activeElement) ? -1 : rows.findIndex((row) => rowKey(row) === key);
  };
  const withFocused = (act: (row: Row) => void) => (): void => {
    const row = rows[focusedAt()];
    if (row) act(row);
  };
  useKeys(
    onOpen
      ? [
          {
            keys: 'j',
            label: 'Next row',
            group: 'Lists',
            run: () => focus(focusedAt() < 0 ? current : Math.min(focusedAt() + 1, rows.length - 1)),
          },
          { keys: 'k', label: 'Previous row', group: 'Lists', run: () => focus(focusedAt() < 0 ? current : Math.max(focusedAt() - 1, 0)) },
          { keys: 'Enter', label: 'Open the row', group: 'Lists', run: withFocused(onOpen) },
          ...(onToggle
            ? [{ keys: 'x', label: 'Select the row', group: 'Lists' as const, run: withFocused((row) => onToggle(rowKey(row))) }]
            : []),
        ]
      : [],
  );
  return current;
}

type FootProps = {
  shown: number;
  hasMore: boolean;
  onMore?: () => void;
  isLoading?: boolean;
  step?: number | undefined;
  canOpen?: boolean;
  canChoose?: boolean;
  isOldestFirst?: boolean;
};

/** "Showing 25", a button that loads more, and the shortcuts of the list. */
export function TableFoot({ shown, hasMore, onMore, isLoading, step = 25, canOpen, canChoose, isOldestFirst }: FootProps) {
  const t = useUiText();
  const some = isOldestFirst ? 'ui.showing-oldest' : 'ui.showing-newest';
  return (
    <div className="flex items-center gap-3 px-0.5 py-3.5">
      <span className="tabular-nums text-ink-3">{t(hasMore ? some : 'ui.showing-all', { count: shown })}</span>
      {hasMore && onMore ? (
        <Button size="sm" onClick={onMore} busy={isLoading ? t('ui.loading') : false}>
          {t('ui.load-more', { count: step })}
        </Button>
      ) : null}
      {canOpen ? (
        <span className="ml-auto hidden text-ink-3 md:inline">
          <Kbd>J</Kbd> <Kbd>K</Kbd> move, <Kbd>Enter</Kbd> open
          {canChoose ? (
            <>
              , <Kbd>X</Kbd> select
            </>
          ) : null}
        </span>
      ) : null}
    </div>
  );
}

/** A duration with a logarithmic bar from 10 ms to half an hour. */
export function DurationBar({ ms, text, tone }: { ms: number; text: string; tone?: 'bad' | 'live' | undefined }) {
  const share = Math.min(1, Math.max(0.08, Math.log10(Math.max(ms, 10) / 10) / Math.log10(1_800_000 / 10)));
  return (
    <span className="duration-bar" data-tone={tone}>
      <i aria-hidden style={{ width: 28 * share }} />
      {text}
    </span>
  );
}
