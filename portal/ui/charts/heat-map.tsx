import { type KeyboardEvent, type PointerEvent, useState } from 'react';
import { ChartFrame } from './chart-frame.tsx';
import { useChartLanguage } from './chart-language.ts';
import { HEAT_LEVELS, type HeatCell, heatGrid, heatLevel } from './scale.ts';
import './heat-map.css';
import './chart.css';

type HeatMapProps = {
  cells: readonly HeatCell[];
  rows: readonly { label: string; title: string }[];
  columns: readonly { label: string; title: string }[];
  /** Heads of the table: the rows, the columns, the value. */
  names: { row: string; column: string; value: string };
  /** Says one cell, such as "Tuesday, 14:00: 12 runs". */
  describe: (row: string, column: string, value: number) => string;
  /** Shown until a cell is chosen. */
  hint: string;
  words: { less: string; more: string };
  label: string;
};

/** Values in rows and columns as shades of one colour. Pointer, touch and arrow keys choose a cell, which is said below. */
export function HeatMap({ cells, rows, columns, names, describe, hint, words, label }: HeatMapProps) {
  const grid = heatGrid(cells, rows.length, columns.length);
  const most = Math.max(0, ...grid.flat());
  const { long } = useChartLanguage();
  const [chosen, choose] = useState<{ row: number; column: number }>();
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = STEPS[event.key];
    if (!step) return;
    event.preventDefault();
    choose((at) => ({
      row: ((at?.row ?? 0) + (at ? step[0] : 0) + rows.length) % rows.length,
      column: ((at?.column ?? 0) + (at ? step[1] : 0) + columns.length) % columns.length,
    }));
  };
  const onPointer = (event: PointerEvent): void => {
    const { row, column } = (event.target as HTMLElement).dataset; // cells carry their place
    if (row !== undefined && column !== undefined) choose({ row: Number(row), column: Number(column) });
  };
  const value = chosen ? (grid[chosen.row]?.[chosen.column] ?? 0) : 0;
  return (
    <ChartFrame
      label={label}
      height={200}
      columns={[
        { key: 'row', name: names.row },
        { key: 'column', name: names.column },
        { key: 'value', name: names.value, align: 'end' },
      ]}
      rows={grid.flatMap((line, row) =>
        line.flatMap((count, column) =>
          count > 0 ? [{ key: `${row}-${column}`, cells: [rows[row]?.title ?? '', columns[column]?.title ?? '', long(count)] }] : [],
        ),
      )}
    >
      <div className="chart">
        <div
          className="heat-map"
          style={{ gridTemplateColumns: `auto repeat(${columns.length}, minmax(0, 1fr))` }}
          role="img"
          aria-label={label}
          tabIndex={0}
          onKeyDown={onKeyDown}
          onPointerMove={onPointer}
          onPointerDown={onPointer}
        >
          {grid.map((line, row) => (
            <div key={row} className="contents">
              <span className="heat-map-row">{rows[row]?.label}</span>
              {line.map((count, column) => (
                <i
                  key={column}
                  data-row={row}
                  data-column={column}
                  data-level={heatLevel(count, most)}
                  data-chosen={chosen?.row === row && chosen.column === column ? '' : undefined}
                />
              ))}
            </div>
          ))}
          <span />
          {columns.map((column, at) => (
            <span key={at} className="heat-map-column">
              {column.label}
            </span>
          ))}
        </div>
        <div className="heat-map-foot">
          <p role="status">{chosen ? describe(rows[chosen.row]?.title ?? '', columns[chosen.column]?.title ?? '', value) : hint}</p>
          <span className="heat-map-scale" aria-hidden>
            {words.less}
            {Array.from({ length: HEAT_LEVELS + 1 }, (_, level) => (
              <i key={level} data-level={level} />
            ))}
            {words.more}
          </span>
        </div>
      </div>
    </ChartFrame>
  );
}

const STEPS: Readonly<Record<string, readonly [row: number, column: number]>> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
};
