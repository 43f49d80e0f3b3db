import { type ReactNode, useMemo, useState } from 'react';
import { Button } from '../../ui/controls/button.tsx';
import { Mark } from '../../ui/feedback/mark.tsx';
import { Tooltip } from '../../ui/overlays/tooltip.tsx';
import { useMediaQuery, WIDER_THAN_PHONE } from '../../ui/hooks/use-media-query.ts';
import { formatNumber, plural } from '../../ui/text/format.ts';
import './readiness-grid.css';
import '../../ui/layout/panel.css';
import '../../ui/table/table.css';

export type ReadinessCell = { state: 'ok' | 'inherited' | 'missing' | 'failing'; message: string | null };
export type ReadinessRow = { key: string; client: string; agent: ReactNode; cells: Readonly<Record<string, ReadinessCell | undefined>> };

type GridProps = {
  rows: readonly ReadinessRow[];
  /** All agents, where `rows` are some of them. */
  total?: number;
  services: readonly { key: string; name: string }[];
  /** The link of a missing cell; without it the cell says Missing. */
  renderAdd?: ((row: ReadinessRow, service: string) => ReactNode) | undefined;
};

/** Rows that are shown at first, and added at a click: an agency with thousands of agents reads those that lack a key. */
const STEP = 100;

/** Which agent has every service it needs: a row per agent, a column per service, the last column in words. */
export function ReadinessGrid(props: GridProps) {
  const { rows } = props;
  // The count is a read of its own, which may be older than the rows.
  const total = Math.max(props.total ?? 0, rows.length);
  const [count, setCount] = useState(STEP);
  const isLong = total > STEP || total > rows.length;
  const ordered = useMemo(() => (isLong ? [...rows.filter(lacksKey), ...rows.filter((row) => !lacksKey(row))] : rows), [rows, isLong]);
  const shown = Math.min(count, rows.length);
  const rest = rows.length - shown;
  return (
    <>
      <Grid {...props} rows={ordered.slice(0, count)} />
      {total > shown ? (
        <div className="flex flex-wrap items-center gap-3 px-0.5 py-3.5">
          <span className="tabular-nums text-ink-3">
            Showing {formatNumber(shown)} of {plural(total, 'agent')}, those that lack a key first.
            {rest === 0 ? ' Choose a client to see the others.' : ''}
          </span>
          {rest > 0 ? (
            <Button size="sm" onClick={() => setCount(count + STEP)}>
              Show {Math.min(STEP, rest)} more
            </Button>
          ) : null}
        </div>
      ) : null}
    </>
  );
}

function lacksKey(row: ReadinessRow): boolean {
  return Object.values(row.cells).some((cell) => cell?.state === 'missing' || cell?.state === 'failing');
}

function Grid({ rows, services: all, renderAdd }: GridProps) {
  const isWide = useMediaQuery(WIDER_THAN_PHONE);
  // A phone has no room for a column per service: what an agent lacks stands under its name.
  const services = isWide ? all : [];
  return (
    <div className="panel overflow-x-auto">
      <table className="table readiness-grid" data-dense="" aria-label="Readiness of agents">
        <thead>
          <tr>
            <th scope="col">Client</th>
            <th scope="col">Agent</th>
            {services.map((service) => (
              <th key={service.key} scope="col" className="readiness-grid-cell">
                {service.name}
              </th>
            ))}
            <th scope="col" data-align="end">
              Ready
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row, at) => {
            const isFirst = rows[at - 1]?.client !== row.client;
            return (
              <tr key={row.key} data-first={isFirst ? '' : undefined}>
                <td className="font-medium max-md:!whitespace-normal">
                  {isFirst ? row.client : <span className="sr-only">{row.client}</span>}
                </td>
                <td className="max-md:!whitespace-normal">
                  {row.agent}
                  {isWide ? null : <Lacks row={row} services={all} renderAdd={renderAdd} />}
                </td>
                {services.map((service) => {
                  const cell = row.cells[service.key];
                  return (
                    <td key={service.key} className="readiness-grid-cell" data-state={cell?.state}>
                      {cell ? (
                        <Cell cell={cell} add={renderAdd?.(row, service.key)} service={service.name} />
                      ) : (
                        <span className="readiness-grid-dot" title="Not needed">
                          <span className="sr-only">not needed</span>
                        </span>
                      )}
                    </td>
                  );
                })}
                <td data-align="end">{summary(row)}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

/** The services whose key is missing or refused, with the link that adds it. */
function Lacks({ row, services, renderAdd }: Pick<GridProps, 'services' | 'renderAdd'> & { row: ReadinessRow }) {
  const lacking = services.filter(({ key }) => ['missing', 'failing'].includes(row.cells[key]?.state ?? ''));
  if (lacking.length === 0) return null;
  return (
    <ul className="mt-1 grid gap-1">
      {lacking.map(({ key, name }) => {
        const cell = row.cells[key];
        return cell ? (
          <li key={key} className="flex items-center gap-2 text-xs">
            <span className="text-ink-2">{name}</span>
            <Cell cell={cell} add={renderAdd?.(row, key)} service={name} />
          </li>
        ) : null;
      })}
    </ul>
  );
}

function Cell({ cell, add, service }: { cell: ReadinessCell; add: ReactNode; service: string }) {
  switch (cell.state) {
    case 'missing':
      return add ?? <span className="text-xs text-warn">Missing</span>;
    case 'failing':
      return (
        <Tooltip text={cell.message ?? `${service} refuses the key`}>
          <span tabIndex={0}>
            <Mark kind="bad" label="failing" />
          </span>
        </Tooltip>
      );
    case 'ok':
      return <Mark kind="ok" label="own key" />;
    case 'inherited':
      return (
        <span>
          <Mark kind="ok" label="agency default" />
          <sup aria-hidden>A</sup>
        </span>
      );
  }
}

function summary(row: ReadinessRow): ReactNode {
  const states = Object.values(row.cells).map((cell) => cell?.state);
  const missing = states.filter((state) => state === 'missing').length;
  if (states.includes('failing')) return <span className="text-bad">Failing</span>;
  if (missing > 0) return <span className="text-warn">Missing {missing}</span>;
  return <span className="text-ink-2">Ready</span>;
}

/** What the marks of the grid mean. */
export function ReadinessLegend() {
  return (
    <div className="flex flex-wrap gap-x-3 gap-y-1 text-xs text-ink-3">
      <span className="inline-flex items-center gap-1.5">
        <Mark kind="ok" size={12} />
        own key
      </span>
      <span className="inline-flex items-center gap-1.5">
        <Mark kind="ok" size={12} />
        <sup className="-ml-1 text-3xs">A</sup>agency default
      </span>
      <span className="inline-flex items-center gap-1.5">
        <Mark kind="bad" size={12} />
        failing
      </span>
      <span className="inline-flex items-center gap-1.5">
        <span className="size-1 rounded-full bg-line" />
        not needed
      </span>
    </div>
  );
}
