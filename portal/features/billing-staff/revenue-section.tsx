import { useQuery } from '@tanstack/react-query';
import { majorOf } from '@partner-portal/core/billing/currency.ts';
import { csvLine } from '@partner-portal/core/csv/csv.ts';
import { amountOf } from '../../shared/billing-labels.ts';
import { ExportButton } from '../../shared/export-button.tsx';
import { Loaded } from '../../shared/loaded.tsx';
import { typedAmount } from '../../shared/money-input.ts';
import { BarChart, ChartLegend } from '../../ui/charts/bar-chart.tsx';
import { Segmented } from '../../ui/controls/segmented.tsx';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { SkeletonBlock } from '../../ui/feedback/skeleton.tsx';
import { Panel, Section } from '../../ui/layout/layout.tsx';
import { REVENUE_MONTHS, type RevenueRow, revenueQuery } from './queries.ts';
import { monthsOf } from './usage-search.ts';
import { dateFormat, numberFormat } from '../../ui/text/intl.ts';

type Props = { currency: string | undefined; onCurrency: (currency: string) => void };

/** Invoiced and paid by month, one currency at a time; credit notes are taken off. */
export function RevenueSection({ currency, onCurrency }: Props) {
  const revenue = useQuery(revenueQuery);
  const rows = revenue.data ?? [];
  const currencies = [...new Set(rows.map((row) => row.currency))].toSorted();
  const shown = currency && currencies.includes(currency) ? currency : currencies[0];
  return (
    <Section
      title="Revenue by month"
      note="credit notes taken off"
      aside={
        <>
          {currencies.length > 1 && shown ? (
            <Segmented
              label="Currency"
              value={shown}
              onChange={onCurrency}
              options={currencies.map((value) => ({ value, label: value }))}
            />
          ) : null}
          {rows.length > 0 ? <ExportButton size="sm" name="revenue" read={() => Promise.resolve(toCsv(rows))} /> : null}
        </>
      }
    >
      <Loaded query={revenue} skeleton={<SkeletonBlock height={300} />}>
        {(found) =>
          shown ? (
            <Months rows={found.filter((row) => row.currency === shown)} currency={shown} />
          ) : (
            <EmptyState title="No revenue yet">The first month appears here when an invoice is issued.</EmptyState>
          )
        }
      </Loaded>
    </Section>
  );
}

function Months({ rows, currency }: { rows: readonly RevenueRow[]; currency: string }) {
  const byMonth = new Map(rows.map((row) => [row.month.slice(0, 7), row]));
  const months = monthsOf(REVENUE_MONTHS, new Date());
  const bars = months.map((month, at) => ({
    label: name(month, 'short'),
    title: name(month, 'long'),
    value: byMonth.get(month)?.invoicedMinor ?? 0,
    bad: 0,
    ...(byMonth.has(month) ? { before: byMonth.get(month)?.paidMinor ?? 0 } : {}),
    isCurrent: at === months.length - 1,
  }));
  const total = (key: 'invoicedMinor' | 'paidMinor'): string =>
    amountOf(
      rows.reduce((sum, row) => sum + row[key], 0),
      currency,
    );
  return (
    <Panel
      title={`${total('invoicedMinor')} invoiced, ${total('paidMinor')} paid`}
      aside={<ChartLegend value="Invoiced" before="Paid" current="This month" />}
      flush
    >
      <BarChart
        bars={bars}
        labelEvery={1}
        label={`Revenue by month in ${currency}`}
        names={{ bucket: 'Month', value: 'Invoiced', before: 'Paid' }}
        format={{ long: (minor) => amountOf(minor, currency), short: (minor) => short(minor, currency) }}
      />
    </Panel>
  );
}

function name(month: string, style: 'short' | 'long'): string {
  const options = style === 'short' ? ({ month: 'short' } as const) : ({ month: 'long', year: 'numeric' } as const);
  return dateFormat('en-GB', { ...options, timeZone: 'UTC' }).format(new Date(`${month}-01T00:00:00Z`));
}

/** "1.2K": the axis has no room for a currency, which the title names. */
function short(minor: number, currency: string): string {
  return numberFormat('en-US', { notation: 'compact' }).format(Number(typedAmount(minor, currency)));
}

function toCsv(rows: readonly RevenueRow[]): string {
  const lines = rows.map((row) =>
    // Numbers: a text that begins with a minus, as that of a month of credit notes, is no number in a spreadsheet.
    csvLine([row.month, row.currency, majorOf(row.invoicedMinor, row.currency), majorOf(row.paidMinor, row.currency)]),
  );
  return `\uFEFF${csvLine(['Month', 'Currency', 'Invoiced', 'Paid'])}${lines.join('')}`;
}
