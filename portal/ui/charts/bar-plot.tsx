import { Bar, BarChart, CartesianGrid, type BarShapeProps, ReferenceLine, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts';
import { formatNumber } from '../text/format.ts';
import type { Bar as Bucket, BarChartProps } from './bar-chart.tsx';
import '../overlays/popover.css';

/** The plot of a bar chart; loaded by bar-chart.tsx only when a chart is shown. */
export function BarPlot({ bars, names, now, label, height = 220, labelEvery = 3, format }: BarChartProps) {
  const data = bars.map((bar, at) => ({ ...bar, at, good: Math.max(0, bar.value - bar.bad) }));
  const most = Math.max(4, ...bars.map((bar) => Math.max(bar.value, bar.before ?? 0)));
  const top = niceTop(most);
  return (
    <div role="img" aria-label={label} className="px-3 pt-4 pb-1">
      <ResponsiveContainer width="100%" height={height + 24}>
        <BarChart data={data} margin={{ top: 10, right: 4, bottom: 0, left: -22 }} barCategoryGap="14%" accessibilityLayer={false}>
          <CartesianGrid vertical={false} stroke="var(--color-line-soft)" />
          <XAxis
            dataKey="at"
            interval={0}
            tickLine={false}
            axisLine={{ stroke: 'var(--color-line)' }}
            height={24}
            tick={{ fontSize: 11, fill: 'var(--color-ink-3)' }}
            tickFormatter={(at: number) => (at % labelEvery === 0 ? (bars[at]?.label ?? '') : '')}
          />
          <YAxis
            domain={[0, top]}
            ticks={[0, top / 2, top]}
            tickLine={false}
            axisLine={false}
            tick={{ fontSize: 11, fill: 'var(--color-ink-3)' }}
            allowDecimals={false}
            {...(format ? { tickFormatter: format.short } : {})}
          />
          <Tooltip
            cursor={{ fill: 'var(--color-hover)' }}
            isAnimationActive={false}
            content={({ active, payload }) => (
              <Tip bucket={active ? (payload[0]?.payload as Bucket | undefined) : undefined} names={names} format={format} />
            )}
          />
          <Bar dataKey="good" stackId="runs" isAnimationActive={false} shape={GoodBar} />
          <Bar
            dataKey="bad"
            stackId="runs"
            isAnimationActive={false}
            fill="var(--color-bad-mark)"
            stroke="var(--color-surface)"
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

function Tip({
  bucket,
  names,
  format,
}: { bucket: Bucket | undefined } & Pick<BarChartProps, 'names'> & { format: BarChartProps['format'] | undefined }) {
  if (!bucket) return null;
  const rows: [string, number][] = [[names.value, bucket.value]];
  if (names.bad) rows.push([names.bad, bucket.bad]);
  if (names.before && bucket.before !== undefined) rows.push([names.before, bucket.before]);
  return (
    <div className="popover px-3 py-2 text-xs">
      <p className="mb-1 font-medium">{bucket.title}</p>
      <table className="tabular-nums">
        <tbody>
          {rows.map(([name, value]) => (
            <tr key={name}>
              <td className="pr-4 text-ink-3">{name}</td>
              <td className="text-right">{format?.long(value) ?? formatNumber(value)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Returns the end of the axis: a round number whose half is a whole number. */
function niceTop(most: number): number {
  const power = 10 ** Math.floor(Math.log10(most));
  return [1, 2, 4, 5, 10].map((n) => n * power).find((top) => top >= most && top % 2 === 0) ?? power * 10;
}
