import { missingOfSchedule, nextRunAt, type ScheduleRule, suggestedRule } from '@house/core/schedule.ts';
import type { Template } from '@house/core/template-types.ts';
import { changesBetween, originOf, recordAudit } from '#modules/audit/index.ts';
import type { Actor } from '#platform/actor.ts';
import { inScope } from '#platform/db/scope.ts';
import type { Database, Tx } from '#platform/db/tx.ts';
import type { RequestContext } from '#platform/http/context.ts';
import { requireMatch } from '#platform/http/preconditions.ts';
import { refuse, refuseField } from '#platform/refuse.ts';
import { findSchedule, removeSchedule, saveSchedule, type ScheduledWorkflow } from './store-schedules.ts';

export type ScheduleDeps = { db: Database; templateOf: (name: string) => Template | undefined };
export type ScheduleChange = Omit<ScheduleRule, 'weekdays'> & { weekdays?: readonly number[] | undefined; enabled: boolean };

export async function readSchedule(deps: ScheduleDeps, actor: Actor, workflowId: string) {
  return inScope(deps.db, actor, undefined, async (tx) => scheduleAnswer(deps, await mustFind(tx, workflowId, false)));
}

/** Sets when a workflow runs by itself. What only an event can know must not be missing in each of its runs. */
export async function putSchedule(deps: ScheduleDeps, context: RequestContext, workflowId: string, change: ScheduleChange) {
  return inScope(deps.db, context.actor, undefined, async (tx) => {
    const before = await mustFind(tx, workflowId, true);
    if (before.schedule) requireMatch(context.header('if-match'), before.schedule.updatedAt);
    const template = deps.templateOf(before.templateName);
    const missing = template ? missingOfSchedule(template) : [];
    if (missing.length > 0) {
      const names = missing.map((one) => one.label).join(', ');
      return refuse('invalid_state', {
        detail: `This agent works by events: each of its runs needs something only an event can bring (${names}).`,
      });
    }
    const rule = ruleOf(change);
    const next = { ...rule, enabled: change.enabled };
    const changes = changesBetween(plain(before.schedule), next);
    if (Object.keys(changes).length > 0) {
      await saveSchedule(tx, before, next, change.enabled ? nextRunAt(rule, context.now) : null);
      await audit(tx, context, before, 'workflow.schedule_changed', changes);
    }
    return scheduleAnswer(deps, await mustFind(tx, workflowId, false));
  });
}

/** From now on the workflow runs by events only. Repeating it changes nothing. */
export async function deleteSchedule(deps: ScheduleDeps, context: RequestContext, workflowId: string): Promise<undefined> {
  return inScope(deps.db, context.actor, undefined, async (tx) => {
    const before = await mustFind(tx, workflowId, true);
    if (!before.schedule) return undefined;
    await removeSchedule(tx, workflowId);
    await audit(tx, context, before, 'workflow.schedule_removed', changesBetween(plain(before.schedule), { enabled: false }));
    return undefined;
  });
}

function ruleOf({ every, at, weekdays = [], timezone }: ScheduleChange): ScheduleRule {
  if (every === 'week' && weekdays.length === 0) refuseField('weekdays', 'required', 'Choose at least one day of the week.');
  return { every, at, weekdays: [...new Set(weekdays)].toSorted((a, b) => a - b), timezone };
}

const NONE = { every: null, at: null, weekdays: [], timezone: null, enabled: false };

function plain(schedule: ScheduledWorkflow['schedule']): Record<keyof typeof NONE, unknown> {
  if (!schedule) return NONE;
  const { every, at, weekdays, timezone, enabled } = schedule;
  return { every, at, weekdays, timezone, enabled };
}

function scheduleAnswer(deps: ScheduleDeps, { id, templateName, timezone, schedule }: ScheduledWorkflow) {
  const template = deps.templateOf(templateName);
  return {
    workflowId: id,
    schedule,
    nextRunAt: schedule?.dueAt ?? null,
    last:
      schedule?.lastDueAt && schedule.lastOutcome
        ? { dueAt: schedule.lastDueAt, outcome: schedule.lastOutcome, reason: schedule.lastReason, executionId: schedule.lastExecutionId }
        : null,
    suggested: template ? suggestedRule(template, timezone) : null,
    missingInputs: template ? missingOfSchedule(template) : [],
    updatedAt: schedule?.updatedAt ?? null,
  };
}

async function mustFind(tx: Tx, workflowId: string, lock: boolean): Promise<ScheduledWorkflow> {
  return (await findSchedule(tx, workflowId, { lock })) ?? refuse('not_found');
}

async function audit(
  tx: Tx,
  context: RequestContext,
  workflow: ScheduledWorkflow,
  action: string,
  changes: Record<string, [unknown, unknown]>,
) {
  const { id, partnerId, clientId, name } = workflow;
  const target = { type: 'workflow', id, label: name };
  await recordAudit(tx, { partnerId, clientId, actor: context.actor, action, target, changes, origin: originOf(context) });
}
