import { formatRoughly } from '@partner-portal/core/billing/money.ts';
import type { ReactNode } from 'react';
import { useMessages } from '../../app/messages.ts';
import { brandTokens } from '../../shared/brand.ts';
import type { Report } from './queries.ts';
import { HeatMap } from '../../ui/charts/heat-map.tsx';
import { ChartKey } from '../../ui/charts/chart-frame.tsx';
import { TrendChart } from '../../ui/charts/trend-chart.tsx';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { Mark } from '../../ui/feedback/mark.tsx';
import { TemplateIcon } from '../../ui/identity/icons.tsx';
import { AgencyMark } from '../../ui/identity/marks.tsx';
import { type Figure, Figures, Panel } from '../../ui/layout/layout.tsx';
import { formatHour, formatMonth, formatWeekday, previousMonth } from './months.ts';
import { asHeading } from '../../ui/text/format.ts';
import { numberFormat } from '../../ui/text/intl.ts';
import './report.css';

type Props = {
  report: Report;
  /** Asks for the agent that is suggested. */
  onSuggestion: ReactNode;
};

/** What the agents did in a month, in words and pictures; the same for clients and their agency. */
export function ReportView({ report, onSuggestion }: Props) {
  const { t } = useMessages();
  const { totals, isFinished } = report;
  return (
    <article className="report" aria-label={t('report-page.title')} style={brandTokens(report.partner.brandColor)}>
      <Cover report={report} />
      {isFinished ? null : <p className="report-note">{t('report-page.running')}</p>}
      {totals.runs === 0 ? (
        <div className="report-section">
          <EmptyState title={t('report-page.nothing')}>{isFinished ? null : t('report-page.nothing-hint')}</EmptyState>
        </div>
      ) : (
        <>
          <Totals report={report} />
          <Words report={report} />
          <Results report={report} />
          <div className="report-pair">
            <Trend report={report} />
            <BusiestHours report={report} />
          </div>
          <Failures report={report} />
        </>
      )}
      <Suggestion report={report}>{onSuggestion}</Suggestion>
    </article>
  );
}

/** Client, month and largest figures, in the agency's colour. */
function Cover({ report }: { report: Report }) {
  const { t, tag } = useMessages();
  const { client, partner, month, worth } = report;
  const headline = useHeadline(report);
  return (
    <header className="report-cover">
      <p className="report-cover-agency">
        {partner.logoUrl ? <AgencyMark name={partner.name} logoUrl={partner.logoUrl} logoAlt="" /> : null}
        <span>{partner.name}</span>
      </p>
      <p className="report-cover-month">
        {client.name} · {asHeading(formatMonth(month, tag), tag)}
      </p>
      <h2 className="report-headline">{headline}</h2>
      {worth !== null && worth.minor > 0 ? (
        <div className="report-cover-worth">
          <p>{t('report-page.worth', { amount: formatRoughly(worth.minor, worth.currency, tag) })}</p>
          <p>{t('report-page.worth-note', { agency: partner.name })}</p>
        </div>
      ) : null}
    </header>
  );
}

/** What a customer wrote who allowed it to be quoted. */
function Words({ report: { words } }: { report: Report }) {
  const { t } = useMessages();
  if (words === null) return null;
  return (
    <figure className="report-words" aria-label={t('report-page.words')}>
      <blockquote>{t('report.quoted', { words: words.text })}</blockquote>
      <figcaption>{t('report-page.words-by', { customer: words.customer, rating: words.rating })}</figcaption>
    </figure>
  );
}

function useHeadline({ totals, month, isFinished }: Report): string {
  const { t, tag } = useMessages();
  const name = formatMonth(month, tag, { month: 'long' });
  if (totals.runs === 0) return t(isFinished ? 'report-page.headline-none' : 'report-page.headline-none-yet', { month: name });
  const results = t('report-page.results-of', { count: totals.helped });
  if (totals.hoursSaved < 1) return t('report-page.headline-results', { month: name, results });
  return t('report-page.headline-saved', { month: name, results, hours: t('report-page.hours', { hours: Math.round(totals.hoursSaved) }) });
}

/** Says how a figure compares with the month before; nothing where that has no data. */
function useComparison(report: Report): (now: number, before: number | null | undefined) => string | undefined {
  const { t, tag } = useMessages();
  const month = formatMonth(previousMonth(report.month), tag, { month: 'long' });
  const format = numberFormat(tag, { maximumFractionDigits: 1 });
  return (now, before) => {
    if (report.previous === null || before === null || before === undefined) return undefined;
    const difference = Math.round((now - before) * 10) / 10;
    if (difference === 0) return t('report-page.as-before', { month });
    const count = format.format(Math.abs(difference));
    return difference > 0 ? t('report-page.more', { count, month }) : t('report-page.fewer', { count, month });
  };
}

function Totals({ report }: { report: Report }) {
  const { t, tag } = useMessages();
  const compare = useComparison(report);
  const { totals, previous } = report;
  const number = numberFormat(tag, { maximumFractionDigits: 1 }).format;
  const figure = (label: string, value: number, before: number | undefined): Figure => ({
    label,
    value: number(value),
    note: compare(value, before),
  });
  const items: Figure[] = [
    figure(t('report-page.results-total'), totals.helped, previous?.helped),
    figure(t('report-page.hours-saved'), totals.hoursSaved, previous?.hoursSaved),
    figure(t('report-page.contacted'), totals.contacted, previous?.contacted),
    figure(t('report-page.failed'), totals.failed, previous?.failed),
  ];
  if (totals.credits !== null) items.push(figure(t('report-page.credits'), totals.credits, previous?.credits ?? undefined));
  return <Figures items={items} />;
}

function Results({ report }: { report: Report }) {
  const { t, tag } = useMessages();
  const compare = useComparison(report);
  const number = numberFormat(tag, { maximumFractionDigits: 1 }).format;
  const most = Math.max(1, ...report.results.map((row) => row.count));
  return (
    <section className="report-section">
      <h3>{t('report-page.results')}</h3>
      <ul className="report-results">
        {report.results.map((row) => (
          <li key={row.workflowId}>
            <TemplateIcon name={row.icon} />
            <div className="min-w-0 flex-1">
              <p className="report-result">
                <b>{number(row.count)}</b> <span>{row.phrase}</span>
              </p>
              <span className="report-bar" aria-hidden>
                <span style={{ width: `${(row.count / most) * 100}%` }} />
              </span>
              <p className="report-meta">
                {[
                  row.agentName,
                  row.hoursSaved > 0 ? t('report-page.hours-saved-by', { hours: row.hoursSaved }) : undefined,
                  report.worth !== null && row.worthMinor !== null && row.worthMinor > 0
                    ? t('report-page.worth-by', { amount: formatRoughly(row.worthMinor, report.worth.currency, tag) })
                    : undefined,
                  row.failed > 0 ? t('report-page.failed-by', { count: row.failed }) : undefined,
                  compare(row.count, row.previousCount),
                ]
                  .filter(Boolean)
                  .join(' · ')}
              </p>
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Trend({ report: { trend, month } }: { report: Report }) {
  const { t, tag } = useMessages();
  const hours = numberFormat(tag, { maximumFractionDigits: 1 });
  const hasFailures = trend.some((one) => one.failed > 0);
  const names = {
    bucket: t('report-page.month'),
    value: t('report-page.results-total'),
    more: [t('report-page.hours-saved')],
    ...(hasFailures ? { bad: t('report-page.failed') } : {}),
  };
  return (
    <Panel
      className="report-part"
      title={t('report-page.trend')}
      aside={
        <>
          <ChartKey kind="line">{names.value}</ChartKey>
          {names.bad === undefined ? null : <ChartKey kind="bad-line">{names.bad}</ChartKey>}
        </>
      }
      flush
    >
      <TrendChart
        label={t('report-page.trend-label')}
        names={names}
        labelEvery={trend.length > 7 ? 2 : 1}
        points={trend.map((one) => ({
          label: formatMonth(one.month, tag, { month: 'short' }),
          title: asHeading(formatMonth(one.month, tag), tag),
          value: one.helped,
          bad: one.failed,
          more: [hours.format(one.hoursSaved)],
          isCurrent: one.month === month,
        }))}
      />
    </Panel>
  );
}

const WEEKDAYS = [1, 2, 3, 4, 5, 6, 7];

function BusiestHours({ report: { busiestHours } }: { report: Report }) {
  const { t, tag } = useMessages();
  if (busiestHours.length === 0) return null;
  return (
    <Panel className="report-part" title={t('report-page.busiest')} flush>
      <HeatMap
        label={t('report-page.busiest-label')}
        cells={busiestHours.map(({ weekday, hour, runs }) => ({ row: weekday - 1, column: hour, value: runs }))}
        rows={WEEKDAYS.map((day) => ({ label: formatWeekday(day, tag, 'short'), title: formatWeekday(day, tag, 'long') }))}
        columns={Array.from({ length: 24 }, (_, hour) => ({
          label: hour % 6 === 0 ? String(hour).padStart(2, '0') : '',
          title: formatHour(hour, tag),
        }))}
        names={{ row: t('report-page.weekday'), column: t('report-page.hour'), value: t('report-page.tasks') }}
        describe={(day, hour, count) => t('report-page.hour-runs', { day, hour, count })}
        hint={t('report-page.busiest-hint')}
        words={{ less: t('report-page.less'), more: t('report-page.more-of') }}
      />
    </Panel>
  );
}

function Failures({ report: { failures } }: { report: Report }) {
  const { t } = useMessages();
  return (
    <section className="report-section">
      <h3>{t('report-page.failures')}</h3>
      {failures.length === 0 ? (
        <p className="flex items-center gap-2 text-ink-2">
          <Mark kind="ok" />
          {t('report-page.no-failures')}
        </p>
      ) : (
        <ul className="report-results">
          {failures.map((row) => (
            <li key={row.cause}>
              <span className="report-mark">
                <Mark kind={row.handled >= row.count ? 'ok' : 'bad'} size={18} />
              </span>
              <div className="min-w-0 flex-1">
                <p>
                  <b className="tabular-nums">{t('report-page.times', { count: row.count })}</b>: {row.text}
                </p>
                <p className="report-meta">
                  {row.agents.join(', ')}
                  {row.agents.length > 0 ? ' · ' : ''}
                  {row.handled === 0
                    ? t('report-page.handled-none')
                    : row.handled >= row.count
                      ? t('report-page.handled-all', { count: row.count })
                      : t('report-page.handled-some', { handled: row.handled, count: row.count })}
                </p>
              </div>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function Suggestion({ report: { suggestion }, children }: { report: Report; children: ReactNode }) {
  const { t } = useMessages();
  if (suggestion === null) return null;
  return (
    <section className="report-section report-suggestion">
      <h3>{t('report-page.suggestion')}</h3>
      <div className="flex items-start gap-3">
        <TemplateIcon name={suggestion.icon} />
        <div className="min-w-0 flex-1">
          <p className="font-semibold">{suggestion.title}</p>
          <p className="max-w-prose text-ink-2">{suggestion.summary}</p>
          <div className="report-actions mt-3">{children}</div>
        </div>
      </div>
    </section>
  );
}
