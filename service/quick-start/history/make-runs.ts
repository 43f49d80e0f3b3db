import { isObject } from '@partner-portal/core/json/is-object.ts';
import { aiCredits, type TokenRate } from '@partner-portal/core/quota/credits.ts';
import { isFreeStop, readReport, type ReportedRun } from '@partner-portal/core/execution/reported.ts';
import { toneOf } from '@partner-portal/core/template/outcome.ts';
import { renderSentence } from '@partner-portal/core/template/sentence.ts';
import type { JsonObject, Template } from '@partner-portal/core/template/types.ts';
import { Temporal } from 'temporal-polyfill';
import type { AgentPlan, Business } from './businesses.ts';
import { type Chance, createChance, idAt } from './chance.ts';
import { type Event, makeEvent, senderRefused } from './make-event.ts';

/** A run of the past, as its rows hold it. `ledger`: the entries that it has in the ledger of credits, as credits used. */
export type PastRun = {
  id: string;
  workflowId: string;
  clientId: string;
  source: 'ingest' | 'rerun';
  status: 'SUCCEEDED' | 'FAILED';
  summary: string;
  tone: string | null;
  stopped: boolean;
  templateVersion: number;
  creditsHeld: number;
  creditsCharged: number;
  startedAt: Date;
  finishedAt: Date;
  rerunOf: string | null;
  error: { code: string; message: string; stepName: string | null } | null;
  input: JsonObject;
  output: unknown;
  steps: unknown;
  isContact: boolean;
  isHelp: boolean;
  ledger: { kind: 'run' | 'ai_tokens'; credits: number; note: string }[];
};

/** An agent with its past. `flowTokenRate`: of tokens that a flow uses on a platform key. */
export type PastAgent = {
  business: Business;
  plan: AgentPlan;
  template: Template;
  workflowId: string;
  clientId: string;
  flowTokenRate: TokenRate;
};

/** From the first day on until the end, an hour. */
export type Past = { firstDay: Temporal.PlainDate; days: number; end: Date };

/** The sender number was refused on a Tuesday at least this many days before the end, and on the next day until its repair at this local hour. */
const REFUSED_DAYS_AGO = 35;
const REPAIRED_AT_HOUR = 15;

/** Makes the runs of an agent, oldest first. The same for the same past. */
export function makeRuns(agent: PastAgent, past: Past, isTroubled: boolean): PastRun[] {
  const { business, plan } = agent;
  const chance = createChance(`${business.name} ${plan.template} ${past.firstDay.toString()}`);
  const runs: PastRun[] = [];
  const refused: { run: PastRun; event: Event }[] = [];
  const tuesday = isTroubled
    ? past.days - 1 - REFUSED_DAYS_AGO - ((past.firstDay.add({ days: past.days - 1 - REFUSED_DAYS_AGO }).dayOfWeek + 5) % 7)
    : Infinity;
  for (let day = 0; day < past.days; day += 1) {
    const date = past.firstDay.add({ days: day });
    const average = (plan.events[date.dayOfWeek - 1] ?? 0) * (1 + business.growth * (day / past.days));
    for (const startedAt of timesOf(chance, { business, date, count: chance.around(average) })) {
      const isRefused = day === tuesday || (day === tuesday + 1 && localHour(startedAt, business) < REPAIRED_AT_HOUR);
      const event = makeEvent(chance, business, plan);
      const ended = isRefused ? senderRefused(event) : event;
      const run = toRun(chance, agent, ended, startedAt, null);
      if (isPast(run, past)) runs.push(run);
      if (run.status === 'FAILED' && isRefused) refused.push({ run, event });
    }
    if (day === tuesday + 1) runs.push(...rerun(chance, agent, refused, date));
  }
  return runs.toSorted((one, other) => one.startedAt.getTime() - other.startedAt.getTime());
}

/** Repeats the refused runs after the repair, a few seconds apart. */
function rerun(chance: Chance, agent: PastAgent, refused: readonly { run: PastRun; event: Event }[], date: Temporal.PlainDate): PastRun[] {
  const begin = noonOf(date, agent.business) + (REPAIRED_AT_HOUR - 12) * 3_600_000 + 12 * 60_000;
  return refused.map(({ run, event }, place) =>
    toRun(chance, agent, { ...event, input: run.input }, new Date(begin + place * 3_000), run.id),
  );
}

function toRun(chance: Chance, agent: PastAgent, event: Event, startedAt: Date, rerunOf: string | null): PastRun {
  const { template, workflowId, clientId } = agent;
  const report: ReportedRun = event.report;
  const decided = readReport(report, template);
  const { status, output, error, steps } = decided;
  const values = isObject(output) ? output : null;
  const isSkipped = values?.['skipped'] === true;
  const creditsHeld = template.creditsPerRun;
  const price = status === 'SUCCEEDED' && !isFreeStop(decided) ? creditsHeld : 0;
  const tokens = event.tokens === null ? 0 : aiCredits(event.tokens, agent.flowTokenRate);
  const timed = withTimes(chance, steps ?? [], startedAt);
  return {
    id: idAt(chance, startedAt),
    workflowId,
    clientId,
    source: rerunOf === null ? 'ingest' : 'rerun',
    status,
    summary: renderSentence(template, status, { input: event.input, output: values, error }).slice(0, 500),
    tone: toneOf(template, status, values),
    stopped: status === 'SUCCEEDED' && isSkipped,
    templateVersion: template.templateVersion,
    creditsHeld,
    creditsCharged: price + tokens,
    startedAt,
    finishedAt: timed.end,
    rerunOf,
    error,
    input: event.input,
    output,
    steps: timed.steps,
    isContact: status === 'SUCCEEDED' && !isSkipped && event.isTexted,
    isHelp: status === 'SUCCEEDED' && !isSkipped && values?.['asked'] !== false,
    ledger: [
      ...(price > 0 ? [{ kind: 'run' as const, credits: price, note: '' }] : []),
      ...(tokens > 0 ? [{ kind: 'ai_tokens' as const, credits: tokens, note: 'AI tokens on a platform key' }] : []),
    ],
  };
}

/** Gives each step the time it took, one after the other. */
function withTimes(chance: Chance, steps: readonly object[], startedAt: Date): { steps: object[]; end: Date } {
  let at = startedAt.getTime() + chance.between(60, 180);
  const timed = steps.map((step) => {
    const durationMs = chance.between(30, 420);
    const begun = new Date(at).toISOString();
    at += durationMs;
    return { ...step, startedAt: begun, durationMs };
  });
  return { steps: timed, end: new Date(at + chance.between(20, 90)) };
}

/** Whether a run has ended before the past does, in the hour in which it began: the sums of the past and those after it share no hour. */
function isPast({ startedAt, finishedAt }: PastRun, { end }: Past): boolean {
  return finishedAt < end && hourOf(startedAt) === hourOf(finishedAt);
}

function timesOf(chance: Chance, { business, date, count }: { business: Business; date: Temporal.PlainDate; count: number }): Date[] {
  const [from, to] = business.hours;
  const noon = noonOf(date, business);
  return Array.from({ length: count }, () => {
    // More in the middle of the day: the mean of two.
    const part = (chance.next() + chance.next()) / 2;
    return new Date(noon + Math.floor((from + part * (to - from) - 12) * 3_600_000));
  }).toSorted((one, other) => one.getTime() - other.getTime());
}

/** Hours of the day are counted from noon: when the clock changes, it does so before a business opens. */
function noonOf(date: Temporal.PlainDate, { timezone }: Business): number {
  return date.toZonedDateTime({ timeZone: timezone, plainTime: '12:00' }).epochMilliseconds;
}

function localHour(at: Date, { timezone }: Business): number {
  return Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(timezone).hour;
}

/** The number of the hour since 1970. */
export function hourOf(at: Date): number {
  return Math.floor(at.getTime() / 3_600_000);
}
