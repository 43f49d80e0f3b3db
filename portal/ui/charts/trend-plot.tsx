import { area, curveMonotoneX, line } from 'd3-shape';
import { AXIS_HEIGHT, BucketLabels, LEFT, TOP, ValueLines } from './plot-axes.tsx';
import { Plot } from './plot.tsx';
import { niceTop } from './scale.ts';
import type { TrendPlotProps } from './trend-chart.tsx';

const RIGHT = 14;
/** Between the axis and the first point, and behind the last one. */
const BEGIN = 14;
const END = 6;

/** The plot of a trend; loaded by trend-chart.tsx only when one is shown. Arrow keys move through the points. */
export function TrendPlot(props: TrendPlotProps) {
  const { points, names, label, height = 200, labelEvery = 1, format, range, rowsOf } = props;
  const [bottom, top] = range ?? [0, niceTop(Math.max(...points.map((point) => Math.max(point.value ?? 0, point.bad ?? 0))))];
  const yOf = (value: number): number => height - ((height - TOP) * (value - bottom)) / (top - bottom);
  const first = LEFT + BEGIN;
  const stepOf = (width: number): number => (points.length > 1 ? (width - RIGHT - END - first) / (points.length - 1) : 0);
  const xOf = (at: number, width: number): number => (points.length > 1 ? first + stepOf(width) * at : (first + width - RIGHT - END) / 2);
  return (
    <Plot
      label={label}
      height={height + AXIS_HEIGHT}
      count={points.length}
      bucketAt={({ x }, width) =>
        points.length > 1 ? Math.min(points.length - 1, Math.max(0, Math.round((x - first) / stepOf(width)))) : 0
      }
      placeOf={(at, width) => ({ x: xOf(at, width), y: TOP })}
      tip={(at) => ({ title: points[at]?.title ?? '', rows: points[at] ? rowsOf(points[at]) : [] })}
    >
      {(width, chosen) => {
        const values = points.map(({ value }, at): [number, number | null] => [xOf(at, width), value === null ? null : yOf(value)]);
        const failures = names.bad ? points.map(({ bad = 0 }, at): [number, number] => [xOf(at, width), yOf(bad)]) : [];
        const isKnown = ([, y]: readonly [number, number | null]): boolean => y !== null;
        const ground = area<[number, number | null]>()
          .defined(isKnown)
          .curve(curveMonotoneX)
          .y0(yOf(bottom))
          .y1(([, y]) => y ?? 0);
        const curve = line<[number, number | null]>()
          .defined(isKnown)
          .curve(curveMonotoneX)
          .y(([, y]) => y ?? 0);
        return (
          <>
            <ValueLines from={bottom} top={top} left={LEFT} right={width - RIGHT} bottom={height} yOf={yOf} format={format.short} />
            <BucketLabels
              labels={points.map((point, at) => ((points.length - 1 - at) % labelEvery === 0 ? point.label : ''))}
              bottom={height}
              xOf={(at) => xOf(at, width)}
            />
            {chosen === undefined ? null : (
              <line x1={xOf(chosen, width)} x2={xOf(chosen, width)} y1={TOP} y2={height} stroke="var(--color-control)" />
            )}
            {/* An area stands on zero; a line that begins higher has none. */}
            {bottom === 0 ? <path d={ground(values) ?? ''} fill="var(--color-accent-wash)" fillOpacity={0.7} /> : null}
            <path d={curve(values) ?? ''} fill="none" stroke="var(--color-accent-mark)" strokeWidth={1.5} />
            {values.map(([x, y], at) =>
              y === null ? null : (
                <Dot
                  key={points[at]?.title}
                  x={x}
                  y={y}
                  r={at === chosen ? 4 : 2.5}
                  fill="var(--color-accent-mark)"
                  isRinged={at === chosen}
                />
              ),
            )}
            <path d={curve(failures) ?? ''} fill="none" stroke="var(--color-bad-mark)" strokeWidth={1.5} strokeDasharray="4 3" />
            {failures.map(([x, y], at) =>
              // A line of one point has no length.
              at === chosen || points.length === 1 ? <Dot key={points[at]?.title} x={x} y={y} r={3} fill="var(--color-bad-mark)" /> : null,
            )}
          </>
        );
      }}
    </Plot>
  );
}

function Dot({ x, y, r, fill, isRinged = false }: { x: number; y: number; r: number; fill: string; isRinged?: boolean }) {
  return <circle cx={x} cy={y} r={r} fill={fill} {...(isRinged ? { stroke: 'var(--color-surface)', strokeWidth: 2 } : {})} />;
}
