import { Bar, BarChart, type BarShapeProps, CartesianGrid, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts';
import { ChartTip } from './chart-frame.tsx';
import type { ChartFormat } from './chart-language.ts';
import { AXIS_TICK, MARGIN } from './plot-style.ts';
import type { Rank, RankChartProps } from './rank-chart.tsx';
import { niceTop } from './scale.ts';
import './chart.css';

const NAME_WIDTH = 168;
const NAME_WIDTH_PHONE = 108;
/** Of an average letter of the axis. */
const LETTER = 6.2;

/** The plot of a ranking; loaded by rank-chart.tsx only when one is shown. Arrow keys move through the bars. */
export function RankPlot({ ranks, names, label, height, format }: RankChartProps & { height: number; format: ChartFormat }) {
  const data = ranks.map((rank, at) => ({ ...rank, at }));
  const top = niceTop(Math.max(...ranks.map(({ value }) => value)));
  const width = matchMedia('(max-width: 767px)').matches ? NAME_WIDTH_PHONE : NAME_WIDTH;
  return (
    <div className="chart">
      <ResponsiveContainer width="100%" height={height + 34}>
        <BarChart
          layout="vertical"
          data={data}
          margin={{ ...MARGIN, left: 0, right: 18 }}
          barCategoryGap="26%"
          role="img"
          aria-label={label}
        >
          <CartesianGrid horizontal={false} stroke="var(--color-line-soft)" />
          <XAxis
            type="number"
            domain={[0, top]}
            ticks={[0, top / 2, top]}
            tickLine={false}
            axisLine={false}
            height={24}
            tick={AXIS_TICK}
            allowDecimals={false}
            tickFormatter={format.short}
          />
          <YAxis
            type="category"
            dataKey="at"
            interval={0}
            width={width}
            tickLine={false}
            axisLine={{ stroke: 'var(--color-line)' }}
            tick={AXIS_TICK}
            tickFormatter={(at: number) => shorten(ranks[at]?.label ?? '', Math.floor((width - 12) / LETTER))}
          />
          <Tooltip
            cursor={{ fill: 'var(--color-hover)' }}
            isAnimationActive={false}
            content={({ active, payload }) => {
              const rank = active ? (payload[0]?.payload as Rank | undefined) : undefined; // the row given as data above
              return rank ? <ChartTip title={rank.label} rows={rowsOf(rank, names, format)} /> : null;
            }}
          />
          <Bar dataKey="value" isAnimationActive={false} shape={RankBar} />
        </BarChart>
      </ResponsiveContainer>
    </div>
  );
}

/** The rest is hollow: its bar is longer than any of those it stands for. */
function RankBar(props: BarShapeProps) {
  const { x, y, width, height } = props;
  const { isRest } = props.payload as Rank; // the row given as data above
  if (!width) return <g />;
  return isRest ? (
    <rect x={x} y={y} width={width} height={height} rx={2} fill="none" stroke="var(--color-data-2)" strokeDasharray="3 3" />
  ) : (
    <rect x={x} y={y} width={width} height={height} rx={2} fill="var(--color-data-2)" />
  );
}

function rowsOf({ value, more }: Rank, names: RankChartProps['names'], format: ChartFormat): (readonly [string, string])[] {
  return [[names.value, format.long(value)], ...names.more.map((name, at) => [name, more[at] ?? '–'] as const)];
}

function shorten(text: string, letters: number): string {
  return text.length > letters ? `${text.slice(0, letters - 1).trimEnd()}…` : text;
}
