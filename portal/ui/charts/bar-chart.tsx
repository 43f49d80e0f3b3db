import { lazy, Suspense, useState } from 'react';
import { SkeletonBlock } from '../feedback/skeleton.tsx';
import { formatNumber } from '../text/format.ts';
import '../table/table.css';

export type Bar = {
  label: string;
  /** Shown in the tooltip and the table; the axis shows `label`. */
  title: string;
  value: number;
  bad: number;
  /** The same bucket one week earlier, drawn as a tick. */
  before?: number;
  isCurrent?: boolean;
  isAhead?: boolean;
};
export type BarChartProps = {
  bars: readonly Bar[];
  /** Without `bad` the bars have one part. */
  names: { bucket: string; value: string; bad?: string; before?: string };
  /** Formats values in the tooltip and the table; the axis has the short form. */
  format?: { long: (value: number) => string; short: (value: number) => string };
  now?: { share: number; text: string };
  label: string;
  height?: number;
  labelEvery?: number;
};

const Plot = lazy(() => import('./bar-plot.tsx').then((module) => ({ default: module.BarPlot })));

/** Bars per bucket with the failed part on top, also available as a table. The plotting library is loaded with the first chart. */
export function BarChart(props: BarChartProps) {
  const [isTable, setTable] = useState(false);
  const { bars, names, height = 220, format } = props;
  const show = (value: number): string => format?.long(value) ?? formatNumber(value);
  return (
    <div>
      {isTable ? (
        <div className="max-h-[272px] overflow-y-auto">
          <table className="table" data-dense="" aria-label={props.label}>
            <thead>
              <tr>
                <th scope="col">{names.bucket}</th>
                <th scope="col" data-align="end">
                  {names.value}
                </th>
                {names.bad ? (
                  <th scope="col" data-align="end">
                    {names.bad}
                  </th>
                ) : null}
                {names.before ? (
                  <th scope="col" data-align="end">
                    {names.before}
                  </th>
                ) : null}
              </tr>
            </thead>
            <tbody>
              {bars.map((bar) => (
                <tr key={bar.title}>
                  <td>{bar.title}</td>
                  <td data-align="end">{show(bar.value)}</td>
                  {names.bad ? <td data-align="end">{show(bar.bad)}</td> : null}
                  {names.before ? <td data-align="end">{bar.before === undefined ? '–' : show(bar.before)}</td> : null}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      ) : (
        <Suspense
          fallback={
            <div className="p-4">
              <SkeletonBlock height={height + 24} />
            </div>
          }
        >
          <Plot {...props} height={height} />
        </Suspense>
      )}
      <div className="flex justify-end border-t border-line-soft px-4 py-1.5 text-xs">
        <button type="button" className="text-ink-3 hover:text-ink" onClick={() => setTable(!isTable)}>
          {isTable ? 'Show as chart' : 'Show as table'}
        </button>
      </div>
    </div>
  );
}

/** Legend of a chart's colours. `current` names the bucket that has a colour of its own, when the chart shows it. */
export function ChartLegend({
  value,
  bad,
  before,
  current,
}: {
  value: string;
  bad?: string;
  before?: string;
  current?: string | undefined;
}) {
  return (
    <>
      <span className="inline-flex items-center gap-1.5">
        <i className="size-2 rounded-[2px] bg-data-2" />
        {value}
      </span>
      {current ? (
        <span className="inline-flex items-center gap-1.5">
          <i className="size-2 rounded-[2px] bg-accent-mark" />
          {current}
        </span>
      ) : null}
      {bad ? (
        <span className="inline-flex items-center gap-1.5">
          <i className="size-2 rounded-[2px] bg-bad-mark" />
          {bad}
        </span>
      ) : null}
      {before ? (
        <span className="hidden items-center gap-1.5 md:inline-flex">
          <i className="h-0.5 w-2.5 bg-ink" />
          {before}
        </span>
      ) : null}
    </>
  );
}
