import { templateTextsOf } from '@partner-portal/catalog/index.ts';
import { hoursSaved } from '@partner-portal/core/report/hours-saved.ts';
import { phraseOf, resultsBy, resultsIn } from '@partner-portal/core/report/results.ts';
import type { Template } from '@partner-portal/core/template/types.ts';
import { messagesFor } from '@partner-portal/messages/all.ts';
import { formatTagOf } from '@partner-portal/messages/locale.ts';
import type { Messages } from '@partner-portal/messages/messages.ts';
import type { RequestContext } from '#platform/http/context.ts';
import { refuse } from '#platform/refuse.ts';
import { readerLocale } from '#modules/2-tenancy/identity/index.ts';
import { type AgentDeps, listAgents } from '#modules/3-product/agents/index.ts';
import { readLatestExecutions } from '#modules/3-product/executions/index.ts';
import { readHoursPerRun } from '#modules/5-reactions/reports/index.ts';
import { type DayRow, daysOfMonths, findHome, type HomeRow } from './store.ts';

export type ClientHomeDeps = AgentDeps & { catalog: readonly Template[] };

const LATEST_RUNS = 8;
const AGENTS_SHOWN = 100;

/** Returns the home page of a client: this month's results, its agents and their latest executions, without failure causes. */
export async function readClientHome(deps: ClientHomeDeps, { actor, now }: RequestContext) {
  const { clientId } = actor;
  if (clientId === null) return refuse('not_found');
  const scope = { partnerId: actor.partnerId, clientId };
  const [facts, agents] = await Promise.all([
    deps.db.asTenant(actor, async (tx) => {
      const locale = await readerLocale(tx, actor);
      const [home, months, latest, perRun] = await Promise.all([
        findHome(tx, clientId),
        daysOfMonths(tx, actor.partnerId, clientId),
        readLatestExecutions(tx, scope, LATEST_RUNS, { role: actor.role, locale }),
        readHoursPerRun(tx, actor.partnerId, deps.catalog),
      ]);
      return { home, months, latest, perRun, locale };
    }),
    listAgents(deps, actor, { limit: AGENTS_SHOWN }),
  ]);
  const { home, months, latest, perRun, locale } = facts;
  if (!home) return refuse('not_found');
  const days = months.filter((row) => row.date.startsWith(home.today.slice(0, 7)));
  const results = resultsOf(
    days,
    deps.catalog.map((template) => templateTextsOf(template, locale)),
    messagesFor(locale).t,
  );
  const total = (of: (row: DayRow) => number): number => days.reduce((sum, row) => sum + of(row), 0);
  return {
    now,
    monthLabel: new Intl.DateTimeFormat(formatTagOf(locale), { month: 'long', timeZone: 'UTC' }).format(
      new Date(`${home.today}T00:00:00Z`),
    ),
    hoursSavedMonth: hoursSaved(days, perRun),
    runsMonth: total((row) => row.runs),
    failuresMonth: total((row) => row.failed),
    partner: partnerOf(home),
    resultsMonth: resultsIn(days),
    results,
    resultsOfAgents: [...resultsBy(days, (row) => row.workflowId)].map(([workflowId, count]) => ({ workflowId, count })),
    byDay: fillDays(days, home.today),
    previous: previousOf(months, home.today, perRun),
    agents: agents.data,
    latest,
  };
}

function partnerOf({ timezone: _own, today: _today, partnerTimezone, ...partner }: HomeRow) {
  return { ...partner, timezone: partnerTimezone };
}

/** One line per template that did something, e.g. "38 missed calls answered by text", and one for agents whose template is not known any more. */
function resultsOf(days: readonly DayRow[], catalog: readonly Template[], t: Messages['t']) {
  const others = { name: '', icon: 'bot', resultsPhrase: { one: t('report.phraseOne'), many: t('report.phraseMany') } };
  const known = new Map(catalog.map((template) => [template.name, template]));
  return [...resultsBy(days, (row) => known.get(row.templateName ?? '') ?? others)]
    .filter(([, count]) => count > 0)
    .toSorted(([, a], [, b]) => b - a)
    .map(([template, count]) => ({
      templateName: template.name,
      icon: template.icon,
      count,
      phrase: phraseOf(
        template.resultsPhrase,
        count,
        days.some((row) => row.isRunByChats && row.templateName === template.name),
      ),
    }));
}

/** Returns what the month before had reached on the same day of it; null when that is nothing, so that there is nothing to compare. */
function previousOf(months: readonly DayRow[], today: string, perRun: Parameters<typeof hoursSaved>[1]) {
  const before = months.filter((row) => !row.date.startsWith(today.slice(0, 7)) && row.date.slice(8) <= today.slice(8));
  const helped = resultsIn(before);
  return helped === 0 ? null : { helped, hoursSaved: hoursSaved(before, perRun) };
}

/** Every day from the first of the month to today, days without executions included. */
function fillDays(days: readonly DayRow[], today: string) {
  const month = today.slice(0, 8);
  return Array.from({ length: Number(today.slice(8)) }, (_, index) => {
    const date = `${month}${String(index + 1).padStart(2, '0')}`;
    const own = days.filter((row) => row.date === date);
    const total = (of: (row: DayRow) => number): number => own.reduce((sum, row) => sum + of(row), 0);
    return { date, runs: total((row) => row.runs), results: resultsIn(own), failed: total((row) => row.failed) };
  });
}
