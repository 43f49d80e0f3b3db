import type { ReplyInputOf } from '@partner-portal/contract/define-route.ts';
import { withoutCause } from '@partner-portal/core/execution/execution.ts';
import type { Template } from '@partner-portal/core/template/types.ts';
import type { Database } from '#platform/db/tx.ts';
import { Answer } from '#platform/http/answer.ts';
import type { Handler, Loose, RequestContext, Routes } from '#platform/http/context.ts';
import { refuse } from '#platform/refuse.ts';
import { listLatestRuns } from '#modules/2-tenancy/partners/index.ts';
import { type DayRow, daysOfMonth, findHome, type HomeRow } from './store-summary.ts';

export type HomeDeps = {
  db: Database;
  catalog: readonly Template[];
  /** The agents' own list (its module lies above this one, so it is handed in). */
  listAgents: Handler<Routes['listAgents']>;
};

const LATEST_RUNS = 8;
const AGENTS_SHOWN = 100;

/** The client's first page in one call: what its agents did this month, how they are, what happened last. */
export async function showHome(deps: HomeDeps, context: RequestContext) {
  const { actor, now } = context;
  const { clientId } = actor;
  if (clientId === null) return refuse('not_found');
  const scope = { partnerId: actor.partnerId, clientId };
  const [facts, agents] = await Promise.all([
    deps.db.asTenant(actor, async (tx) => {
      const [home, days, latest] = await Promise.all([
        findHome(tx, clientId),
        daysOfMonth(tx, actor.partnerId, clientId),
        listLatestRuns(tx, scope, LATEST_RUNS),
      ]);
      return { home, days, latest };
    }),
    agentsOf(deps, context),
  ]);
  const { home, days, latest } = facts;
  if (!home) return refuse('not_found');
  const results = resultsOf(days, deps.catalog);
  const total = (of: (row: DayRow) => number): number => days.reduce((sum, row) => sum + of(row), 0);
  return {
    now,
    monthLabel: new Intl.DateTimeFormat('en', { month: 'long', timeZone: 'UTC' }).format(new Date(`${home.today}T00:00:00Z`)),
    hoursSavedMonth: hoursSaved(days, deps.catalog),
    runsMonth: total((row) => row.runs),
    failuresMonth: total((row) => row.failed),
    partner: partnerOf(home),
    results,
    byDay: fillDays(days, home.today),
    agents,
    latest: latest.map(withoutCause),
  };
}

async function agentsOf(deps: HomeDeps, context: RequestContext): Promise<Loose<ReplyInputOf<Routes['listAgents']>>['data']> {
  const answer = await deps.listAgents({ params: {}, query: { limit: AGENTS_SHOWN }, body: undefined }, context);
  return (answer instanceof Answer ? answer.body : answer).data;
}

function partnerOf({ timezone: _own, today: _today, partnerTimezone, ...partner }: HomeRow) {
  return { ...partner, timezone: partnerTimezone };
}

/** "38 missed calls answered by text": one line per kind of agent that did something. */
function resultsOf(days: readonly DayRow[], catalog: readonly Template[]) {
  return catalog
    .map((template) => ({
      template,
      count: days.filter((row) => row.templateName === template.name).reduce((sum, row) => sum + row.helped, 0),
    }))
    .filter(({ count }) => count > 0)
    .toSorted((a, b) => b.count - a.count)
    .map(({ template, count }) => ({
      templateName: template.name,
      icon: template.icon,
      count,
      phrase: count === 1 ? template.resultsPhrase.one : template.resultsPhrase.many,
    }));
}

function hoursSaved(days: readonly DayRow[], catalog: readonly Template[]): number {
  const perRun = new Map(catalog.map((template) => [template.name, template.hoursSavedPerRun]));
  const hours = days.reduce((sum, row) => sum + row.helped * (perRun.get(row.templateName ?? '') ?? 0), 0);
  return Math.round(hours * 10) / 10;
}

/** Every day from the first to today, quiet ones included. */
function fillDays(days: readonly DayRow[], today: string) {
  const month = today.slice(0, 8);
  return Array.from({ length: Number(today.slice(8)) }, (_, index) => {
    const date = `${month}${String(index + 1).padStart(2, '0')}`;
    const own = days.filter((row) => row.date === date);
    return { date, runs: own.reduce((sum, row) => sum + row.runs, 0), failed: own.reduce((sum, row) => sum + row.failed, 0) };
  });
}
