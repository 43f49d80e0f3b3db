import { lazy } from 'react';
import { ChartFrame } from './chart-frame.tsx';
import { useChartLanguage } from './chart-language.ts';

export type Rank = {
  key: string;
  label: string;
  value: number;
  /** Further figures of the tooltip and the table, in the order of `names.more`. */
  more: readonly string[];
  /** Several that are too small to stand alone. */
  isRest?: boolean;
};
export type RankChartProps = {
  /** Largest first. */
  ranks: readonly Rank[];
  names: { label: string; value: string; more: readonly string[] };
  label: string;
};

const ROW = 30;
const Plot = lazy(() => import('./rank-plot.tsx').then((module) => ({ default: module.RankPlot })));

/** Who has how much, as lying bars under each other, so that names can be read. Also available as a table. */
export function RankChart(props: RankChartProps) {
  const { ranks, names, label } = props;
  const language = useChartLanguage();
  const height = ranks.length * ROW;
  return (
    <ChartFrame
      label={label}
      height={height}
      columns={[
        { key: 'label', name: names.label },
        { key: 'value', name: names.value, align: 'end' },
        ...names.more.map((name) => ({ key: name, name, align: 'end' as const })),
      ]}
      rows={ranks.map((rank) => ({ key: rank.key, cells: [rank.label, language.long(rank.value), ...rank.more] }))}
    >
      <Plot {...props} height={height} format={language} />
    </ChartFrame>
  );
}
