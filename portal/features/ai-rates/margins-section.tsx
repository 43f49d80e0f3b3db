import { PRESET_CURRENCY } from '@partner-portal/contract/vocabulary.ts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../app/api.ts';
import { type AiMargin, aiMarginsQuery } from '../../queries/ai-rates.ts';
import { ExportButton } from '../../shared/export-button.tsx';
import { PROVIDERS } from '../../shared/labels.ts';
import { Loaded } from '../../shared/loaded.tsx';
import { BarChart } from '../../ui/charts/bar-chart.tsx';
import { FilterChip } from '../../ui/controls/chips.tsx';
import { Segmented } from '../../ui/controls/segmented.tsx';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { SkeletonBlock } from '../../ui/feedback/skeleton.tsx';
import { Figures, Panel, Section } from '../../ui/layout/layout.tsx';
import { type Column, Table } from '../../ui/table/table.tsx';
import { formatDate, formatNumber } from '../../ui/text/format.ts';
import { daysOf, firstDayOf, type MarginSpan, SPAN_OPTIONS } from './ai-rates-search.ts';
import { sumOf } from './cost.ts';

type Props = { span: MarginSpan | undefined; onSpan: (span: MarginSpan | undefined) => void };

/** What calls of chatbots and of the API on platform keys earned and cost by day and model (AI-16). */
export function MarginsSection({ span = '30d', onSpan }: Props) {
  const days = daysOf(span, new Date());
  const from = firstDayOf(span);
  const margins = useQuery(aiMarginsQuery(from));
  return (
    <Section
      title="Margins"
      note="calls of chatbots and the API on platform keys, without agents’ runs; days in UTC"
      aside={
        <>
          <FilterChip
            isRequired
            name="Time"
            value={span}
            options={SPAN_OPTIONS}
            onChange={(value) => onSpan(value === '30d' ? undefined : value)}
          />
          <ExportButton size="sm" name="ai-margins" read={() => api.exportAiMargins({ query: { from } })} />
        </>
      }
    >
      <Loaded query={margins} skeleton={<SkeletonBlock height={340} />}>
        {(rows) => (rows.length === 0 ? <None /> : <Margins rows={rows} days={days} />)}
      </Loaded>
    </Section>
  );
}

function None() {
  return (
    <EmptyState title="No calls in this period">
      Calls of chatbots and the API on platform keys appear here, with what they earned and cost. Tokens of agents’ runs are under Usage, by
      kind.
    </EmptyState>
  );
}

function Margins({ rows, days }: { rows: readonly AiMargin[]; days: readonly string[] }) {
  const currencies = [...new Set(rows.map((row) => row.currency))].toSorted();
  const [chosen, setChosen] = useState<string>();
  const currency = chosen !== undefined && currencies.includes(chosen) ? chosen : (currencies[0] ?? PRESET_CURRENCY);
  const shown = rows.filter((row) => row.currency === currency);
  const priced = shown.filter((row) => row.revenueMinor !== null);
  const sum = (name: 'revenueMinor' | 'costMinor' | 'calls', of = shown): number => of.reduce((total, row) => total + (row[name] ?? 0), 0);
  const format = { long: (minor: number) => sumOf(minor, currency), short: (minor: number) => sumOf(minor, currency) };
  const bars = days.map((day) => ({
    label: formatDate(day),
    title: formatDate(day),
    value: shown.filter((row) => row.day === day).reduce((total, row) => total + (row.revenueMinor ?? 0), 0),
    bad: 0,
    before: shown.filter((row) => row.day === day).reduce((total, row) => total + row.costMinor, 0),
  }));
  return (
    <>
      {currencies.length > 1 ? (
        <div className="mb-3">
          <Segmented
            label="Currency"
            value={currency}
            onChange={setChosen}
            options={currencies.map((value) => ({ value, label: value }))}
          />
        </div>
      ) : null}
      <Figures
        items={[
          { label: 'Earned', value: sumOf(sum('revenueMinor'), currency), note: 'credits at the price of each agency’s plan' },
          { label: 'Cost', value: sumOf(sum('costMinor'), currency) },
          {
            label: 'Margin',
            value: sumOf(sum('revenueMinor') - sum('costMinor', priced), currency),
            ...(priced.length < shown.length ? { note: 'without agencies whose plan has no price in this currency' } : {}),
          },
          { label: 'Calls', value: formatNumber(sum('calls')) },
        ]}
      />
      <Panel title="Earned per day" flush className="mb-6">
        <BarChart
          bars={bars}
          labelEvery={bars.length > 45 ? 14 : bars.length > 14 ? 5 : 1}
          label="Earned and cost per day"
          names={{ bucket: 'Day', value: 'Earned', before: 'Cost' }}
          format={format}
        />
      </Panel>
      <Table
        label="Margins by day and model"
        columns={COLUMNS}
        rows={shown}
        rowKey={(row) => `${row.day} ${row.provider} ${row.model} ${row.revenueMinor === null}`}
        dense
      />
    </>
  );
}

const COLUMNS: Column<AiMargin>[] = [
  { key: 'day', head: 'Day', cell: (row) => formatDate(row.day) },
  {
    key: 'model',
    head: 'Model',
    lead: true,
    cell: (row) => (
      <>
        <span className="font-medium">{row.model}</span>
        <span className="table-second-line">{PROVIDERS[row.provider].name}</span>
      </>
    ),
  },
  { key: 'calls', head: 'Calls', align: 'end', hide: 'phone', cell: (row) => formatNumber(row.calls) },
  { key: 'tokens', head: 'Tokens', align: 'end', hide: 'phone', cell: (row) => formatNumber(row.inputTokens + row.outputTokens) },
  { key: 'credits', head: 'Credits', align: 'end', hide: 'phone', cell: (row) => formatNumber(row.credits) },
  {
    key: 'earned',
    head: 'Earned',
    align: 'end',
    cell: (row) => (row.revenueMinor === null ? 'No price in this currency' : sumOf(row.revenueMinor, row.currency)),
  },
  { key: 'cost', head: 'Cost', align: 'end', hide: 'phone', cell: (row) => sumOf(row.costMinor, row.currency) },
  {
    key: 'margin',
    head: 'Margin',
    align: 'end',
    cell: (row) => (row.revenueMinor === null ? '–' : sumOf(row.revenueMinor - row.costMinor, row.currency)),
  },
];
