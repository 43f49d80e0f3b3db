import { useId } from 'react';
import { Bar, BarChart, type BarShapeProps, CartesianGrid, ReferenceLine, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts';
import type { Bar as Bucket, BarChartProps } from './bar-chart.tsx';
import { ChartTip } from './chart-frame.tsx';
import type { ChartFormat } from './chart-language.ts';
import { AXIS_TICK, MARGIN } from './plot-style.ts';
import { niceTop } from './scale.ts';
import './chart.css';

/** The plot of a bar chart; loaded by bar-chart.tsx only when a chart is shown. Arrow keys move through the bars. */
export function BarPlot({ bars, names, now, label, height = 220, labelEvery = 3, format }: BarChartProps & { format: ChartFormat }) {
  const stripes = useId();
  const data = bars.map((bar, at) => ({ ...bar, at, good: Math.max(0, bar.value - bar.bad) }));
  const top = niceTop(Math.max(...bars.map((bar) => Math.max(bar.value, bar.before ?? 0))));
  return (
    <div className="chart">
      <ResponsiveContainer width="100%" height={height + 24}>
        <BarChart data={data} margin={MARGIN} barCategoryGap="14%" role="img" aria-label={label}>
          <defs>
            <pattern id={stripes} width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
              <rect width="5" height="5" fill="var(--color-bad-mark)" />
              <rect width="1.5" height="5" fill="var(--color-bad-wash)" />
            </pattern>
          </defs>
          <CartesianGrid vertical={false} stroke="var(--color-line-soft)" />
          <XAxis
            dataKey="at"
            interval={0}
            tickLine={false}
            axisLine={{ stroke: 'var(--color-line)' }}
            height={24}
            tick={AXIS_TICK}
            tickFormatter={(at: number) => (at % labelEvery === 0 ? (bars[at]?.label ?? '') : '')}
          />
          <YAxis
            domain={[0, top]}
            ticks={[0, top / 2, top]}
            tickLine={false}
            axisLine={false}
            tick={AXIS_TICK}
            allowDecimals={false}
            tickFormatter={format.short}
          />
          <Tooltip
            cursor={{ fill: 'var(--color-hover)' }}
            isAnimationActive={false}
            content={({ active, payload }) => {
              const bucket = active ? (payload[0]?.payload as Bucket | undefined) : undefined; // the row given as data above
              return bucket ? <ChartTip title={bucket.title} rows={rowsOf(bucket, names, format)} /> : null;
            }}
          />
          <Bar dataKey="good" stackId="runs" isAnimationActive={false} shape={GoodBar} />
          <Bar
            dataKey="bad"
            stackId="runs"
            isAnimationActive={false}
            fill={`url(#${stripes})`}
            stroke="var(--color-bad-mark)"
            strokeWidth={1}
            radius={[2, 2, 0, 0]}
          />
          {data.map((bar) =>
            bar.before === undefined ? null : (
              <ReferenceLine
                key={bar.at}
                segment={[
                  { x: bar.at, y: bar.before },
                  { x: bar.at, y: bar.before },
                ]}
                shape={BeforeTick}
              />
            ),
          )}
          {now ? (
            <ReferenceLine
              x={Math.floor(now.share * bars.length)}
              stroke="var(--color-accent-mark)"
              strokeWidth={1.5}
              label={{ value: now.text, position: 'insideTopLeft', fontSize: 11, fontWeight: 530, fill: 'var(--color-accent)' }}
            />
          ) : null}
        </BarChart>
      </ResponsiveContainer>
    </div>
  );
}

/** The current bucket has the accent colour; the others are grey. */
function GoodBar(props: BarShapeProps) {
  const { x, y, width, height } = props;
  const { isCurrent, bad } = props.payload as Bucket; // the row given as data above
  if (!height) return <g />;
  const r = bad > 0 ? 0 : Math.min(2, Number(height));
  return (
    <path
      d={`M${x},${Number(y) + Number(height)}v${-(Number(height) - r)}q0,${-r} ${r},${-r}h${Number(width) - 2 * r}q${r},0 ${r},${r}v${Number(height) - r}z`}
      fill={isCurrent ? 'var(--color-accent-mark)' : 'var(--color-data-2)'}
    />
  );
}

/** As wide as a bar, because the plot is narrow on phones. */
function BeforeTick({ x1, y1 }: { x1?: number | string; y1?: number | string }) {
  const half = matchMedia('(max-width: 767px)').matches ? 4.5 : 9;
  return <line x1={Number(x1) - half} x2={Number(x1) + half} y1={y1} y2={y1} stroke="var(--color-ink)" strokeWidth={1.5} />;
}

function rowsOf(bucket: Bucket, names: BarChartProps['names'], format: ChartFormat): (readonly [string, string])[] {
  return [
    [names.value, format.long(bucket.value)],
    ...(names.bad ? [[names.bad, format.long(bucket.bad)] as const] : []),
    ...(names.before && bucket.before !== undefined ? [[names.before, format.long(bucket.before)] as const] : []),
  ];
}
