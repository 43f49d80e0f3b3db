import { type ReactNode, Suspense, useState } from 'react';
import { SkeletonBlock } from '../feedback/skeleton.tsx';
import { useChartLanguage } from './chart-language.ts';
import '../overlays/popover.css';
import '../table/table.css';
import './chart.css';

export type ChartColumn = { key: string; name: string; align?: 'end' };
export type ChartRow = { key: string; cells: readonly string[] };

/** A chart and the same numbers as a table; a button switches between them. */
export function ChartFrame({
  label,
  columns,
  rows,
  height,
  children,
}: {
  label: string;
  columns: readonly ChartColumn[];
  rows: readonly ChartRow[];
  height: number;
  children: ReactNode;
}) {
  const [isTable, setTable] = useState(false);
  const { asTable, asChart } = useChartLanguage();
  return (
    <div>
      {isTable ? (
        <div className="chart-table" role="region" aria-label={label} tabIndex={0}>
          <table className="table" data-dense="" aria-label={label}>
            <thead>
              <tr>
                {columns.map((column) => (
                  <th key={column.key} scope="col" data-align={column.align}>
                    {column.name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map((row) => (
                <tr key={row.key}>
                  {row.cells.map((cell, at) => (
                    <td key={columns[at]?.key ?? at} data-align={columns[at]?.align}>
                      {cell}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      ) : (
        <Suspense
          fallback={
            <div className="chart">
              <SkeletonBlock height={height + 24} />
            </div>
          }
        >
          {children}
        </Suspense>
      )}
      <div className="chart-toggle">
        <button type="button" aria-label={`${isTable ? asChart : asTable}: ${label}`} onClick={() => setTable(!isTable)}>
          {isTable ? asChart : asTable}
        </button>
      </div>
    </div>
  );
}

/** The values of one bucket. It is a status, so that moving through the buckets by keyboard speaks them. */
export function ChartTip({ title, rows }: { title: string; rows: readonly (readonly [name: string, value: string])[] }) {
  return (
    <div className="popover chart-tip" role="status">
      <p className="mb-1 font-medium">{title}</p>
      <table>
        <tbody>
          {rows.map(([name, value]) => (
            <tr key={name}>
              <td>{name}</td>
              <td>{value}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

type KeyKind = 'value' | 'current' | 'bad' | 'before' | 'line' | 'bad-line';

export function ChartKey({ kind = 'value', children }: { kind?: KeyKind; children: ReactNode }) {
  return (
    <span className="chart-key">
      <i data-kind={kind} />
      {children}
    </span>
  );
}
