import { lazy } from 'react';
import { ChartFrame } from './chart-frame.tsx';
import { type ChartFormat, useChartLanguage } from './chart-language.ts';

export type TrendPoint = {
  label: string;
  /** Shown in the tooltip and the table; the axis shows `label`. */
  title: string;
  /** Null where there is nothing to measure: the line has a gap. */
  value: number | null;
  bad?: number;
  /** Further figures of the tooltip and the table, in the order of `names.more`. */
  more?: readonly string[];
  isCurrent?: boolean;
};
export type TrendChartProps = {
  points: readonly TrendPoint[];
  names: { bucket: string; value: string; bad?: string; more?: readonly string[] };
  label: string;
  height?: number;
  labelEvery?: number;
  /** Formats values in the tooltip, the table and the axis. */
  format?: ChartFormat;
  /** Ends of the value axis; from 0 to a round number above all values when left out. */
  range?: readonly [from: number, to: number];
};

/** `rowsOf`: what the tooltip says of a point. Passed on, so that the plot's file needs none of those that show charts. */
export type TrendPlotProps = TrendChartProps & {
  format: ChartFormat;
  rowsOf: (point: TrendPoint) => (readonly [name: string, value: string])[];
};

const Plot = lazy(() => import('./trend-plot.tsx').then((module) => ({ default: module.TrendPlot })));

/** A figure over time as a line; failures as a dashed one below it. Also available as a table. */
export function TrendChart(props: TrendChartProps) {
  const { points, names, height = 200, label } = props;
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
        ...(names.more ?? []).map((name) => ({ key: name, name, align: 'end' as const })),
      ]}
      rows={points.map((point) => ({
        key: point.title,
        cells: [point.title, ...rowsOfPoint(point, names, format.long).map(([, value]) => value)],
      }))}
    >
      <Plot {...props} height={height} format={format} rowsOf={(point) => rowsOfPoint(point, names, format.long)} />
    </ChartFrame>
  );
}

function rowsOfPoint(
  { value, bad, more }: TrendPoint,
  names: TrendChartProps['names'],
  format: (value: number) => string,
): (readonly [name: string, value: string])[] {
  return [
    [names.value, value === null ? '–' : format(value)],
    ...(names.bad ? [[names.bad, format(bad ?? 0)] as const] : []),
    ...(names.more ?? []).map((name, at) => [name, more?.[at] ?? '–'] as const),
  ];
}
