import type { ChartFormat } from './chart-language.ts';
import { AXIS_HEIGHT, LyingAxes, TOP } from './plot-axes.tsx';
import { Plot } from './plot.tsx';
import type { Rank, RankChartProps } from './rank-chart.tsx';
import { niceTop } from './scale.ts';

const NAMES_WIDTH = 168;
const NAMES_WIDTH_PHONE = 108;
const PHONE = 480;
const RIGHT = 18;
/** Average width in pixels of a letter of the axis. */
const LETTER = 6.2;
/** Height of a bar as a fraction of its slot. */
const FILLED = 0.74;

/** The plot of a ranking; loaded by rank-chart.tsx only when one is shown. Arrow keys move through the bars. */
export function RankPlot({ ranks, names, label, height, format }: RankChartProps & { height: number; format: ChartFormat }) {
  const top = niceTop(Math.max(...ranks.map(({ value }) => value)));
  const bottom = TOP + height;
  const room = height / ranks.length;
  const leftOf = (width: number): number => (width < PHONE ? NAMES_WIDTH_PHONE : NAMES_WIDTH);
  const xOf = (value: number, width: number): number => leftOf(width) + ((width - leftOf(width) - RIGHT) * value) / top;
  const middleOf = (at: number): number => TOP + room * (at + 0.5);
  return (
    <Plot
      label={label}
      height={bottom + AXIS_HEIGHT}
      count={ranks.length}
      bucketAt={({ y }) => {
        const at = Math.floor((y - TOP) / room);
        return at in ranks ? at : undefined;
      }}
      placeOf={(at, width) => ({ x: leftOf(width), y: middleOf(at) })}
      tip={(at) => ({ title: ranks[at]?.label ?? '', rows: rowsOf(ranks[at], names, format) })}
    >
      {(width, chosen) => (
        <>
          {chosen === undefined ? null : (
            <rect x={leftOf(width)} y={TOP + room * chosen} width={width - leftOf(width) - RIGHT} height={room} fill="var(--color-hover)" />
          )}
          <LyingAxes
            top={top}
            labels={ranks.map((rank) => shorten(rank.label, Math.floor((leftOf(width) - 12) / LETTER)))}
            left={leftOf(width)}
            right={width - RIGHT}
            bottom={bottom}
            xOf={(value) => xOf(value, width)}
            yOf={middleOf}
            format={format.short}
          />
          {ranks.map((rank, at) => (
            <rect
              key={rank.key}
              x={leftOf(width)}
              y={middleOf(at) - (room * FILLED) / 2}
              width={Math.max(0, xOf(rank.value, width) - leftOf(width))}
              height={room * FILLED}
              rx={2}
              // The rest is hollow: its bar is longer than any of those it stands for.
              {...(rank.isRest ? { fill: 'none', stroke: 'var(--color-data-2)', strokeDasharray: '3 3' } : { fill: 'var(--color-data-2)' })}
            />
          ))}
        </>
      )}
    </Plot>
  );
}

function rowsOf(rank: Rank | undefined, names: RankChartProps['names'], format: ChartFormat): (readonly [string, string])[] {
  if (rank === undefined) return [];
  return [[names.value, format.long(rank.value)], ...names.more.map((name, at) => [name, rank.more[at] ?? '–'] as const)];
}

function shorten(text: string, letters: number): string {
  return text.length > letters ? `${text.slice(0, letters - 1).trimEnd()}…` : text;
}
