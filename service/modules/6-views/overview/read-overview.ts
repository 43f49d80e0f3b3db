import { collapseStages, type StepProgress } from '@partner-portal/core/provisioning/provisioning.ts';
import { hoursSaved, type HoursPerRun } from '@partner-portal/core/report/hours-saved.ts';
import { describeQuota, noQuota } from '@partner-portal/core/quota/quota.ts';
import type { Template } from '@partner-portal/core/template/types.ts';
import type { Database } from '#platform/db/tx.ts';
import type { RequestContext } from '#platform/http/context.ts';
import { refuse } from '#platform/refuse.ts';
import { rollAndReadQuota } from '#modules/1-ledger/metering/index.ts';
import { findClientRef } from '#modules/2-tenancy/clients/index.ts';
import { listMissingKeys } from '#modules/3-product/credentials/index.ts';
import { readLatestExecutions } from '#modules/3-product/executions/index.ts';
import { readHoursPerRun } from '#modules/5-reactions/reports/index.ts';
import { type Checklist, readChecklist } from '#modules/4-setup/onboarding/index.ts';
import { listAttention } from './attention.ts';
import {
  countAll,
  type CountsRow,
  type HourRow,
  hoursOfDay,
  type OverviewScope,
  successesByTemplate,
  type TemplateRow,
  topClients,
} from './store.ts';
import { MISSING_SHOWN, sortMissing } from './missing-keys.ts';
import {
  accountRequests,
  currentAlerts,
  refusedKeys,
  SHOWN,
  TROUBLED_SHOWN,
  type TroubledAgent,
  troubledAgents,
  waitingRequests,
} from './store-attention.ts';
import { findSetup, listSetupWorkflows, type SetupRow, type SetupWorkflow } from './store-setup.ts';

export type OverviewDeps = {
  db: Database;
  catalog: readonly Template[];
  /** Providers that the platform offers a key of its own for. */
  platformProviders: readonly string[];
};

const LATEST_RUNS = 6;

/** Returns the dashboard of the partner. All statements are sent together, so it takes about one round trip. */
export async function readOverview(
  { db, catalog, platformProviders }: OverviewDeps,
  { actor, now }: RequestContext,
  clientId: string | undefined,
) {
  const scope: OverviewScope = { partnerId: actor.partnerId, clientId: clientId ?? null };
  const facts = await db.asTenant(actor, async (tx) => {
    if (clientId !== undefined && !(await findClientRef(tx, clientId))) return refuse('not_found');
    const [
      counts,
      hours,
      templates,
      top,
      quotaFacts,
      troubled,
      missing,
      refused,
      requests,
      setup,
      workflows,
      latestRuns,
      alerts,
      deciding,
      perRun,
      checklist,
    ] = await Promise.all([
      countAll(tx, scope),
      hoursOfDay(tx, scope),
      successesByTemplate(tx, scope),
      topClients(tx, scope),
      rollAndReadQuota(tx, actor.partnerId, now),
      troubledAgents(tx, scope),
      listMissingKeys(tx, scope, platformProviders, MISSING_SHOWN),
      refusedKeys(tx, scope),
      waitingRequests(tx, scope),
      findSetup(tx, actor.partnerId),
      listSetupWorkflows(tx, scope),
      readLatestExecutions(tx, scope, LATEST_RUNS, { role: actor.role, locale: 'en' }),
      currentAlerts(tx, scope),
      accountRequests(tx, scope),
      readHoursPerRun(tx, actor.partnerId, catalog),
      readChecklist(tx, actor.partnerId, catalog),
    ]);
    return {
      counts,
      hours,
      templates,
      quotaFacts,
      top,
      troubled,
      missing: sortMissing(missing),
      refused,
      requests,
      setup,
      workflows,
      latestRuns,
      alerts,
      deciding,
      perRun,
      checklist,
    };
  });
  const { counts, quotaFacts } = facts;
  if (!counts) return refuse('not_found');
  const quota = describeQuota(quotaFacts ?? noQuota(now), now);
  return {
    now,
    timezone: counts.timezone,
    counts: { clients: counts.clients, agents: counts.agents, agentsOn: counts.agentsOn, agentsFailing: counts.agentsFailing },
    today: describeToday(facts.hours, facts.templates, counts, facts.perRun),
    quota,
    topClients: facts.top,
    attention: listAttention({ ...facts, quota, hasQuota: quotaFacts !== undefined }, now),
    hasMoreAttention: isCut(facts),
    openAlerts: facts.alerts.filter(({ status }) => status !== 'resolved').length,
    ...checklistOf(facts.checklist),
    sampleDataEndsAt: counts.sampleDataEndsAt,
    setup: facts.setup ? { ...describeSetup(facts.setup, facts.workflows, catalog), workflowCount: counts.agents } : null,
    latestRuns: facts.latestRuns,
  };
}

type Lists = Record<'missing' | 'refused' | 'requests' | 'deciding', readonly unknown[]> & { troubled: readonly TroubledAgent[] };

/** Whether a list is full: there may be more than it holds. */
function isCut({ troubled, missing, refused, requests, deciding }: Lists): boolean {
  const failing = troubled.filter(({ health }) => health === 'failing').length;
  return (
    Math.max(failing, troubled.length - failing) >= TROUBLED_SHOWN ||
    missing.length >= MISSING_SHOWN ||
    [refused, requests, deciding].some((list) => list.length >= SHOWN)
  );
}

function describeToday(hours: readonly HourRow[], templates: readonly TemplateRow[], counts: CountsRow, perRun: HoursPerRun) {
  const today = hours.filter((row) => row.isToday);
  const lastWeek = hours.filter((row) => !row.isToday);
  const sum = (rows: readonly HourRow[], of: (row: HourRow) => number): number => rows.reduce((total, row) => total + of(row), 0);
  const contacted = sum(today, (row) => row.contacted);
  return {
    runs: sum(today, (row) => row.runs) + counts.running,
    succeeded: sum(today, (row) => row.succeeded),
    failed: sum(today, (row) => row.failed),
    running: counts.running,
    lastWeekByNow: sum(lastWeek, (row) => row.byNow),
    textsSent: contacted,
    peopleReached: contacted,
    hoursSaved: savedBy(templates, (row) => row.today, perRun),
    hoursSavedMonth: savedBy(templates, (row) => row.month, perRun),
    failureCauses: counts.failureCauses,
    byHour: Array.from({ length: 24 }, (_, hour) => {
      const now = today.filter((row) => row.hour === hour);
      return {
        hour,
        runs: sum(now, (row) => row.runs),
        failed: sum(now, (row) => row.failed),
        lastWeek: sum(
          lastWeek.filter((row) => row.hour === hour),
          (row) => row.runs,
        ),
      };
    }),
  };
}

function savedBy(rows: readonly TemplateRow[], of: (row: TemplateRow) => number, perRun: HoursPerRun): number {
  return hoursSaved(
    rows.map((row) => ({ templateName: row.templateName, helped: of(row) })),
    perRun,
  );
}

function checklistOf({ items, dismissedAt }: Checklist) {
  return {
    checklist: items.map(({ key, title, isDone, dismissedAt: at, href, action }) => ({
      key,
      label: title,
      done: isDone,
      dismissedAt: at,
      href,
      action,
    })),
    checklistDismissedAt: dismissedAt,
  };
}

function describeSetup(setup: SetupRow, workflows: readonly SetupWorkflow[], catalog: readonly Template[]) {
  const versions = new Map(catalog.map((template) => [template.name, template.templateVersion]));
  return {
    status: setup.status,
    stages: collapseStages(setup.steps as StepProgress[]), // the columns' check constraints allow only these values
    errorPublic: setup.errorPublic,
    provisionedAt: setup.provisionedAt,
    attempt:
      setup.attemptId && setup.mode && setup.startedAt
        ? { id: setup.attemptId, mode: setup.mode, startedAt: setup.startedAt, finishedAt: setup.finishedAt }
        : null,
    workflows: workflows.map((workflow) => ({
      ...workflow,
      latestTemplateVersion: versions.get(workflow.templateName) ?? workflow.templateVersion ?? 1,
    })),
  };
}
