import { useId } from 'react';
import type { Bar, BarChartProps } from './bar-chart.tsx';
import type { ChartFormat } from './chart-language.ts';
import { AXIS_HEIGHT, BucketLabels, LEFT, TOP, ValueLines } from './plot-axes.tsx';
import { Plot } from './plot.tsx';
import { niceTop } from './scale.ts';

const RIGHT = 4;
/** Width of a bar as a fraction of its slot. */
const FILLED = 0.86;
/** Width in pixels of the clock next to the line that marks the current time. */
const CLOCK_WIDTH = 40;

/** The plot of a bar chart; loaded by bar-chart.tsx only when a chart is shown. Arrow keys move through the bars. */
export function BarPlot({ bars, names, now, label, height = 220, labelEvery = 3, format }: BarChartProps & { format: ChartFormat }) {
  const stripes = useId();
  const top = niceTop(Math.max(...bars.map((bar) => Math.max(goodOf(bar) + bar.bad, bar.before ?? 0))));
  const yOf = (value: number): number => height - ((height - TOP) * value) / top;
  const roomOf = (width: number): number => (width - LEFT - RIGHT) / bars.length;
  const middleOf = (at: number, width: number): number => LEFT + roomOf(width) * (at + 0.5);
  return (
    <Plot
      label={label}
      height={height + AXIS_HEIGHT}
      count={bars.length}
      bucketAt={({ x }, width) => {
        const at = Math.floor((x - LEFT) / roomOf(width));
        return at in bars ? at : undefined;
      }}
      placeOf={(at, width) => ({ x: middleOf(at, width), y: TOP })}
      tip={(at) => ({ title: bars[at]?.title ?? '', rows: rowsOf(bars[at], names, format) })}
    >
      {(width, chosen) => {
        const room = roomOf(width);
        const barWidth = room * FILLED;
        return (
          <>
            <defs>
              <pattern id={stripes} width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
                <rect width="5" height="5" fill="var(--color-bad-mark)" />
                <rect width="1.5" height="5" fill="var(--color-bad-wash)" />
              </pattern>
            </defs>
            {chosen === undefined ? null : (
              <rect x={LEFT + room * chosen} y={TOP} width={room} height={height - TOP} fill="var(--color-hover)" />
            )}
            <ValueLines top={top} left={LEFT} right={width - RIGHT} bottom={height} yOf={yOf} format={format.short} />
            <BucketLabels
              labels={bars.map((bar, at) => (at % labelEvery === 0 ? bar.label : ''))}
              bottom={height}
              xOf={(at) => middleOf(at, width)}
            />
            {bars.map((bar, at) => (
              <BarShape key={bar.title} bar={bar} x={middleOf(at, width) - barWidth / 2} width={barWidth} yOf={yOf} stripes={stripes} />
            ))}
            {now ? (
              <NowLine
                x={middleOf(Math.floor(now.share * bars.length), width)}
                gap={barWidth / 2 + 4}
                right={width - RIGHT}
                bottom={height}
                text={now.text}
              />
            ) : null}
          </>
        );
      }}
    </Plot>
  );
}

function goodOf({ value, bad, isBadExtra = false }: Bar): number {
  return isBadExtra ? value : Math.max(0, value - bad);
}

type ShapeProps = { bar: Bar; x: number; width: number; yOf: (value: number) => number; stripes: string };

/** A bar of successes, with failures on top and the previous period as a tick. The current bucket has the accent colour; the others are grey. */
function BarShape({ bar, x, width, yOf, stripes }: ShapeProps) {
  const good = goodOf(bar);
  const middle = x + width / 2;
  // The tick is no wider than a bar, which is narrow on a phone.
  const half = Math.min(9, Math.max(4.5, width / 2));
  return (
    <g>
      {good > 0 ? (
        <rect
          x={x}
          y={yOf(good)}
          width={width}
          height={yOf(0) - yOf(good)}
          rx={bar.bad > 0 ? 0 : 2}
          fill={bar.isCurrent ? 'var(--color-accent-mark)' : 'var(--color-data-2)'}
        />
      ) : null}
      {bar.bad > 0 ? (
        <rect
          x={x}
          y={yOf(good + bar.bad)}
          width={width}
          height={yOf(good) - yOf(good + bar.bad)}
          rx={2}
          fill={`url(#${stripes})`}
          stroke="var(--color-bad-mark)"
        />
      ) : null}
      {bar.before === undefined ? null : (
        <line x1={middle - half} x2={middle + half} y1={yOf(bar.before)} y2={yOf(bar.before)} stroke="var(--color-ink)" strokeWidth={1.5} />
      )}
    </g>
  );
}

type NowProps = { x: number; gap: number; right: number; bottom: number; text: string };

/** The clock is shown `gap` pixels from the line, clear of the bar that the line crosses. */
function NowLine({ x, gap, right, bottom, text }: NowProps) {
  // Late in the day there is room on the left only, where other bars may be: it has an outline of the panel's colour.
  const isLeft = x + gap + CLOCK_WIDTH > right;
  return (
    <g aria-hidden>
      <line x1={x} x2={x} y1={TOP} y2={bottom} stroke="var(--color-accent-mark)" strokeWidth={1.5} />
      <text
        x={isLeft ? x - gap : x + gap}
        y={TOP + 10}
        textAnchor={isLeft ? 'end' : 'start'}
        fontSize={11}
        fontWeight={530}
        fill="var(--color-accent)"
        stroke="var(--color-surface)"
        strokeWidth={3}
        paintOrder="stroke"
      >
        {text}
      </text>
    </g>
  );
}

function rowsOf(bar: Bar | undefined, names: BarChartProps['names'], format: ChartFormat): (readonly [string, string])[] {
  if (bar === undefined) return [];
  return [
    [names.value, format.long(bar.value)],
    ...(names.bad ? [[names.bad, format.long(bar.bad)] as const] : []),
    ...(names.before && bar.before !== undefined ? [[names.before, format.long(bar.before)] as const] : []),
  ];
}
