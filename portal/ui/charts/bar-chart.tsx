import { lazy } from 'react';
import { ChartFrame, ChartKey } from './chart-frame.tsx';
import { type ChartFormat, useChartLanguage } from './chart-language.ts';

export type Bar = {
  label: string;
  /** Shown in the tooltip and the table; the axis shows `label`. */
  title: string;
  value: number;
  /** The failed part of `value`, or, with `isBadExtra`, what is drawn on top of it. */
  bad: number;
  isBadExtra?: boolean;
  /** The same bucket one week earlier, drawn as a tick. */
  before?: number;
  isCurrent?: boolean;
};
export type BarChartProps = {
  bars: readonly Bar[];
  /** Without `bad` the bars have one part. */
  names: { bucket: string; value: string; bad?: string; before?: string };
  /** Formats values in the tooltip and the table; the axis has the short form. */
  format?: ChartFormat;
  now?: { share: number; text: string };
  label: string;
  height?: number;
  labelEvery?: number;
};

const Plot = lazy(() => import('./bar-plot.tsx').then((module) => ({ default: module.BarPlot })));

/** Bars per bucket with the failed part on top, also available as a table. The plotting library is loaded with the first chart. */
export function BarChart(props: BarChartProps) {
  const { bars, names, height = 220, label } = props;
  const language = useChartLanguage();
  const format = props.format ?? language;
  return (
    <ChartFrame
      label={label}
      height={height}
      columns={[
        { key: 'bucket', name: names.bucket },
        { key: 'value', name: names.value, align: 'end' },
        ...(names.bad ? [{ key: 'bad', name: names.bad, align: 'end' as const }] : []),
        ...(names.before ? [{ key: 'before', name: names.before, align: 'end' as const }] : []),
      ]}
      rows={bars.map((bar) => ({
        key: bar.title,
        cells: [
          bar.title,
          format.long(bar.value),
          ...(names.bad ? [format.long(bar.bad)] : []),
          ...(names.before ? [bar.before === undefined ? '–' : format.long(bar.before)] : []),
        ],
      }))}
    >
      <Plot {...props} height={height} format={format} />
    </ChartFrame>
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
      <ChartKey>{value}</ChartKey>
      {current ? <ChartKey kind="current">{current}</ChartKey> : null}
      {bad ? <ChartKey kind="bad">{bad}</ChartKey> : null}
      {before ? (
        <span className="hidden md:inline-flex">
          <ChartKey kind="before">{before}</ChartKey>
        </span>
      ) : null}
    </>
  );
}
