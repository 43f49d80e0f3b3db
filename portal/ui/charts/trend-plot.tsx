import { Area, CartesianGrid, ComposedChart, Line, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts';
import { ChartTip } from './chart-frame.tsx';
import type { ChartFormat } from './chart-language.ts';
import { AXIS_TICK, MARGIN } from './plot-style.ts';
import { niceTop } from './scale.ts';
import { rowsOfPoint, type TrendChartProps, type TrendPoint } from './trend-chart.tsx';
import './chart.css';

/** The plot of a trend; loaded by trend-chart.tsx only when one is shown. Arrow keys move through the points. */
export function TrendPlot(props: TrendChartProps & { format: ChartFormat }) {
  const { points, names, label, height = 200, labelEvery = 1, format, range } = props;
  const data = points.map((point, at) => ({ ...point, at }));
  const top = range?.[1] ?? niceTop(Math.max(...points.map((point) => Math.max(point.value ?? 0, point.bad ?? 0))));
  const bottom = range?.[0] ?? 0;
  return (
    <div className="chart">
      <ResponsiveContainer width="100%" height={height + 24}>
        <ComposedChart data={data} margin={{ ...MARGIN, right: 14 }} role="img" aria-label={label}>
          <CartesianGrid vertical={false} stroke="var(--color-line-soft)" />
          <XAxis
            dataKey="at"
            interval={0}
            padding={{ left: 14, right: 6 }}
            tickLine={false}
            axisLine={{ stroke: 'var(--color-line)' }}
            height={24}
            tick={AXIS_TICK}
            tickFormatter={(at: number) => ((points.length - 1 - at) % labelEvery === 0 ? (points[at]?.label ?? '') : '')}
          />
          <YAxis
            domain={[bottom, top]}
            ticks={[bottom, (bottom + top) / 2, top]}
            tickLine={false}
            axisLine={false}
            tick={AXIS_TICK}
            allowDecimals={false}
            tickFormatter={format.short}
          />
          <Tooltip
            cursor={{ stroke: 'var(--color-control)' }}
            isAnimationActive={false}
            content={({ active, payload }) => {
              const point = active ? (payload[0]?.payload as TrendPoint | undefined) : undefined; // the row given as data above
              return point ? <ChartTip title={point.title} rows={rowsOfPoint(point, names, format.long)} /> : null;
            }}
          />
          <Area
            dataKey="value"
            type="monotone"
            isAnimationActive={false}
            stroke="var(--color-accent-mark)"
            strokeWidth={1.5}
            // An area stands on zero; a line that begins higher has none.
            fill={bottom === 0 ? 'var(--color-accent-wash)' : 'none'}
            fillOpacity={0.7}
            dot={{ r: 2.5, fill: 'var(--color-accent-mark)', stroke: 'none', fillOpacity: 1 }}
            activeDot={{ r: 4, fill: 'var(--color-accent-mark)', stroke: 'var(--color-surface)', strokeWidth: 2 }}
          />
          {names.bad ? (
            <Line
              dataKey="bad"
              type="monotone"
              isAnimationActive={false}
              stroke="var(--color-bad-mark)"
              strokeWidth={1.5}
              strokeDasharray="4 3"
              dot={points.length === 1 ? { r: 2.5, fill: 'var(--color-bad-mark)', stroke: 'none' } : false}
              activeDot={{ r: 3, fill: 'var(--color-bad-mark)', stroke: 'none' }}
            />
          ) : null}
        </ComposedChart>
      </ResponsiveContainer>
    </div>
  );
}
