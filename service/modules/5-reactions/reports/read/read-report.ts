import type { Locale } from '@partner-portal/contract/vocabulary.ts';
import { missingProviders } from '@partner-portal/core/credential/resolution.ts';
import { bestWords } from '@partner-portal/core/report/best-words.ts';
import { groupFailures } from '@partner-portal/core/report/failures.ts';
import { type HoursPerRun, hoursSaved } from '@partner-portal/core/report/hours-saved.ts';
import { addMonths, chooseMonth, monthOf, startOfMonth, trendMonths } from '@partner-portal/core/report/month.ts';
import { resultsIn } from '@partner-portal/core/report/results.ts';
import { type ResultValues, worthOf } from '@partner-portal/core/report/result-value.ts';
import { suggestTemplate } from '@partner-portal/core/report/suggestion.ts';
import { messagesFor } from '@partner-portal/messages/all.ts';
import { failureSentence } from '@partner-portal/messages/failure-sentence.ts';
import { formatTagOf, localeOf } from '@partner-portal/messages/locale.ts';
import { inScope } from '#platform/db/scope.ts';
import type { Tx } from '#platform/db/tx.ts';
import type { RequestContext } from '#platform/http/context.ts';
import { refuse, refuseField } from '#platform/refuse.ts';
import { readCredentials } from '#modules/3-product/credentials/index.ts';
import type { ReportsDeps } from '../deps.ts';
import { readHoursPerRun } from '../hours/estimates.ts';
import { agentName, templateTexts } from '../report-texts.ts';
import {
  findReportClient,
  listBusyHours,
  listFailures,
  listInstalled,
  listMonths,
  listWords,
  readModelCredits,
  type MonthRow,
  type ReportClient,
} from './store.ts';
import { readWorth } from '../values/result-values.ts';

export type ReportQuery = { month?: string | undefined; locale?: Locale | undefined };
export type Report = Awaited<ReturnType<typeof composeReport>>;

/** Returns what the agents of a client did in a month, as its reader may see it: a client in their own language, others in English. */
export async function readReport(deps: ReportsDeps, context: RequestContext, clientId: string, query: ReportQuery): Promise<Report> {
  // A person who views a client's portal reads English, as in their own.
  const [report] = await read(deps, context, clientId, query, (client) => (isOwn(context.actor) ? localeOf(client.readerLocale) : 'en'));
  return report;
}

/** Returns the report as a document is made of it, in the language of the client, and the tag by which the reader's spreadsheet reads numbers. */
export function readDocument(deps: ReportsDeps, context: RequestContext, clientId: string, query: ReportQuery): Promise<Read> {
  return read(deps, context, clientId, query, (client) => localeOf(client.locale));
}

function read(
  deps: ReportsDeps,
  { actor, now }: RequestContext,
  clientId: string,
  query: ReportQuery,
  defaultLocale: (client: ReportClient) => Locale,
): Promise<Read> {
  return inScope(deps.db, actor, undefined, async (tx) => {
    const isClient = actor.role === 'CLIENT';
    const client = await findReportClient(tx, clientId, isClient ? actor.userId : null);
    if (!client) return refuse('not_found');
    const { month, isFinished } = requireMonth(client, query.month, now);
    const locale = query.locale ?? defaultLocale(client);
    const report = await composeReport(deps, tx, client, { month, isFinished, now, locale, showsCredits: !isClient });
    return [report, locale, isOwn(actor) ? formatTagOf(client.readerLocale) : 'en'] as Read; // as written here
  });
}

/** A report, its language, and the tag of its reader's numbers. */
type Read = [Report, Locale, string];

/** Whether a client reads its own report. */
function isOwn({ role, readOnly }: RequestContext['actor']): boolean {
  return role === 'CLIENT' && !readOnly;
}

/** Returns the month that is asked for; refuses one without a report. */
export function requireMonth(client: ReportClient, month: string | undefined, now: Date): { month: string; isFinished: boolean } {
  const chosen = chooseMonth({ month, now, createdAt: client.createdAt, timezone: client.timezone });
  if (chosen === 'too_early') return refuseField('month', 'too_early', 'This client was added after that month.');
  if (chosen === 'not_begun') return refuseField('month', 'not_begun', 'That month has not begun yet.');
  return chosen;
}

type Asked = { month: string; isFinished: boolean; now: Date; locale: Locale; showsCredits: boolean };

/** Composes the report from the hourly counters; only causes of failures are read from the runs. */
export async function composeReport(deps: ReportsDeps, tx: Tx, client: ReportClient, asked: Asked) {
  const { month, isFinished, now, locale, showsCredits } = asked;
  const scope = { partnerId: client.partnerId, clientId: client.id };
  const firstMonth = client.firstHour === null ? null : monthOf(client.firstHour, client.timezone);
  // One more than the trend shows, for the comparison.
  const previousMonth = addMonths(month, -1);
  const months = [...new Set([previousMonth, ...trendMonths(month, firstMonth ?? month)])].toSorted();
  const starts = months.map((one) => startOfMonth(one, client.timezone));
  const [start, end] = [startOfMonth(month, client.timezone), startOfMonth(addMonths(month, 1), client.timezone)];
  const quoting = deps.catalog.filter(({ result }) => 'quote' in result).map(({ name }) => name);
  const [rows, busiestHours, failures, installed, perRun, worth, words, credentials, modelCredits] = await Promise.all([
    listMonths(tx, scope, starts, end),
    listBusyHours(tx, scope, { start, end, timezone: client.timezone }),
    listFailures(tx, scope, { start, end }),
    listInstalled(tx, scope),
    readHoursPerRun(tx, client.partnerId, deps.catalog),
    readWorth(tx, client.partnerId),
    listWords(tx, scope, { start, end }, quoting),
    readCredentials(tx, [scope], deps.platformProviders),
    showsCredits ? readModelCredits(tx, scope, { before: startOfMonth(previousMonth, client.timezone), start, end }) : null,
  ]);
  const rowsOf = (one: string): MonthRow[] => rows.filter((row) => months[row.month] === one);
  const own = rowsOf(month);
  const before = isFinished && firstMonth !== null && firstMonth < month ? rowsOf(previousMonth) : [];
  const totals = totalsOf(own, perRun, modelCredits?.own ?? null);
  const names = new Map(own.map((row) => [row.workflowId, agentName(row, locale)]));
  const { t } = messagesFor(locale, client.timezone);
  return {
    client: { id: client.id, name: client.name, timezone: client.timezone, locale: client.locale },
    partner: {
      id: client.partnerId,
      name: client.partnerName,
      logoUrl: client.logoUrl,
      brandColor: client.brandColor,
      supportEmail: client.supportEmail,
    },
    month,
    isFinished,
    generatedAt: now,
    firstMonth,
    totals,
    previous: runsOf(before) === 0 ? null : totalsOf(before, perRun, modelCredits?.before ?? null),
    worth: worthRecord(own, before, worth),
    words: wordsRecord(bestWords(words)),
    results: resultsOf(deps, { own, before, perRun, worth, locale }),
    trend: trendMonths(month, firstMonth ?? month).map((one) => {
      const { helped, runs, failed, hoursSaved: hours } = totalsOf(rowsOf(one), perRun, null);
      return { month: one, helped, runs, failed, hoursSaved: hours };
    }),
    busiestHours,
    failures: groupFailures(
      failures.map((row) => ({
        ...row,
        agentName: names.get(row.workflowId) ?? agentName({ agentName: null, templateName: null }, locale),
      })),
      totals.failed,
    ).map((group) => ({ ...group, text: failureSentence(t, group.cause) })),
    suggestion: suggestionOf(deps, { own, perRun, locale, installed, resolve: credentials, scope }),
  };
}

function runsOf(rows: readonly MonthRow[]): number {
  return rows.reduce((sum, { succeeded, failed }) => sum + succeeded + failed, 0);
}

/** `modelCredits`: those of the month that belong to no run; null hides all credits. */
export function totalsOf(rows: readonly MonthRow[], perRun: HoursPerRun, modelCredits: number | null) {
  const total = (of: (row: MonthRow) => number): number => rows.reduce((sum, row) => sum + of(row), 0);
  return {
    runs: runsOf(rows),
    succeeded: total((row) => row.succeeded),
    failed: total((row) => row.failed),
    contacted: total((row) => row.contacted),
    helped: resultsIn(rows),
    hoursSaved: hoursSaved(rows, perRun),
    credits: modelCredits === null ? null : total((row) => row.credits) + modelCredits,
  };
}

/** What the results are thought to be worth; compared where there is a month to compare with. */
export function worthRecord(own: readonly MonthRow[], before: readonly MonthRow[], values: ResultValues | null) {
  const minor = worthOf(own, values);
  if (values === null || minor === null) return null;
  return { currency: values.currency, minor, previousMinor: runsOf(before) === 0 ? null : worthOf(before, values) };
}

function wordsRecord(best: ReturnType<typeof bestWords>) {
  return best && { text: best.words, customer: best.customer, rating: best.rating };
}

/** One line per agent that ran, by what it did: "38 missed calls answered by text". */
export function resultsOf(
  { catalog }: Pick<ReportsDeps, 'catalog'>,
  of: { own: readonly MonthRow[]; before: readonly MonthRow[]; perRun: HoursPerRun; worth: ResultValues | null; locale: Locale },
) {
  const { own, before, perRun, worth, locale } = of;
  const hasBefore = runsOf(before) > 0;
  const counted = new Map(before.map((row) => [row.workflowId, row.helped]));
  return own
    .filter((row) => row.succeeded + row.failed > 0)
    .toSorted((a, b) => b.helped - a.helped || b.succeeded + b.failed - (a.succeeded + a.failed) || (a.workflowId < b.workflowId ? -1 : 1))
    .map((row) => {
      const template = catalog.find(({ name }) => name === row.templateName);
      return {
        workflowId: row.workflowId,
        agentName: agentName(row, locale),
        templateName: row.templateName,
        icon: template?.icon ?? 'bot',
        count: row.helped,
        phrase: templateTexts(template, locale).phraseOf(row.helped, row.isRunByChats),
        runs: row.succeeded + row.failed,
        failed: row.failed,
        hoursSaved: hoursSaved([row], perRun),
        previousCount: hasBefore ? (counted.get(row.workflowId) ?? 0) : null,
        worthMinor: worth?.perResult.has(row.templateName ?? '') ? worthOf([row], worth) : null,
      };
    });
}

type SuggestionFacts = {
  own: readonly MonthRow[];
  perRun: HoursPerRun;
  locale: Locale;
  installed: readonly string[];
  resolve: Awaited<ReturnType<typeof readCredentials>>;
  scope: { partnerId: string; clientId: string };
};

function suggestionOf({ catalog }: ReportsDeps, { own, perRun, locale, installed, resolve, scope }: SuggestionFacts) {
  const helped = new Map<string, number>();
  for (const { templateName, helped: count } of own)
    if (templateName !== null) helped.set(templateName, (helped.get(templateName) ?? 0) + count);
  const found = suggestTemplate(catalog, {
    installed: new Set(installed),
    missingOf: (template) => missingProviders(template.requiredConnections, scope, resolve),
    helped,
    perRun,
  });
  if (found === null) return null;
  const { name, icon } = found.template;
  const { title, clientSummary } = templateTexts(found.template, locale);
  return { templateName: name, title, summary: clientSummary, icon, missing: found.missing };
}
