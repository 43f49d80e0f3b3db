import { type KeyboardEvent, type PointerEvent, type ReactNode, startTransition, useEffect, useRef, useState } from 'react';
import { ChartTip } from './chart-frame.tsx';
import './chart.css';

export type Place = { x: number; y: number };
type PlotProps = {
  label: string;
  height: number;
  /** Number of buckets, which the pointer and arrow keys select. */
  count: number;
  /** The bucket at a position; undefined outside the plot. */
  bucketAt: (place: Place, width: number) => number | undefined;
  /** The position at which the values of a bucket are shown. */
  placeOf: (bucket: number, width: number) => Place;
  tip: (bucket: number) => { title: string; rows: readonly (readonly [name: string, value: string])[] };
  /** Draws the plot, with the chosen bucket marked. */
  children: (width: number, chosen: number | undefined) => ReactNode;
};

const TIP_GAP = 12;

/** A drawing as wide as its panel. Pointer, touch and arrow keys show the values of a bucket; Escape hides them. */
export function Plot({ label, height, count, bucketAt, placeOf, tip, children }: PlotProps) {
  const host = useRef<HTMLDivElement>(null);
  const width = useWidth(host);
  const [chosen, setChosen] = useState<number>();
  const follow = ({ clientX, clientY, currentTarget }: PointerEvent<SVGSVGElement>): void => {
    const { left, top } = currentTarget.getBoundingClientRect();
    setChosen(bucketAt({ x: clientX - left, y: clientY - top }, width));
  };
  // A finger that is lifted leaves too, and the values that it chose stay.
  const leave = ({ pointerType }: PointerEvent): void => {
    if (pointerType === 'mouse') setChosen(undefined);
  };
  const move = (event: KeyboardEvent): void => {
    if (event.altKey || event.ctrlKey || event.metaKey || count === 0) return;
    const next = bucketAfter(event.key, chosen, count);
    if (next === 'none') return;
    event.preventDefault();
    setChosen(next);
  };
  const shown = chosen !== undefined && chosen >= 0 && chosen < count && width > 0 ? chosen : undefined;
  return (
    <div className="chart">
      <div ref={host} className="chart-plot" style={{ height }}>
        {width > 0 ? (
          <svg
            role="img"
            aria-label={label}
            tabIndex={0}
            width={width}
            height={height}
            onPointerMove={follow}
            onPointerDown={follow}
            onPointerLeave={leave}
            onPointerCancel={() => setChosen(undefined)}
            onBlur={() => setChosen(undefined)}
            onKeyDown={move}
          >
            {children(width, shown)}
          </svg>
        ) : null}
        {shown === undefined ? null : (
          <div className="chart-tip-place" style={tipPlace(placeOf(shown, width), width)}>
            <ChartTip {...tip(shown)} />
          </div>
        )}
      </div>
    </div>
  );
}

/** Returns a position next to the bucket, on the side with more room. */
function tipPlace({ x, y }: Place, width: number) {
  return { top: y, ...(x > width / 2 ? { right: width - x + TIP_GAP } : { left: x + TIP_GAP }) };
}

function bucketAfter(key: string, chosen: number | undefined, count: number): number | undefined | 'none' {
  if (key === 'ArrowRight' || key === 'ArrowDown') return chosen === undefined ? 0 : Math.min(count - 1, chosen + 1);
  if (key === 'ArrowLeft' || key === 'ArrowUp') return chosen === undefined ? count - 1 : Math.max(0, chosen - 1);
  if (key === 'Home') return 0;
  if (key === 'End') return count - 1;
  return key === 'Escape' && chosen !== undefined ? undefined : 'none';
}

function useWidth(host: { current: HTMLElement | null }): number {
  const [width, setWidth] = useState(0);
  useEffect(() => {
    if (!host.current) return;
    // A plot has hundreds of elements: drawn in slices, which leave the browser free in between.
    const watch = new ResizeObserver(([entry]) => startTransition(() => setWidth(Math.floor(entry?.contentRect.width ?? 0))));
    watch.observe(host.current);
    return () => watch.disconnect();
  }, [host]);
  return width;
}
