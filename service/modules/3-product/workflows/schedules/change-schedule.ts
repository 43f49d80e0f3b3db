import type { AuditAction } from '@partner-portal/contract/audit-actions.ts';
import { missingScheduleInputs, scheduleKind, suggestedRule } from '@partner-portal/core/schedule/template-schedule.ts';
import { nextRunAt, type ScheduleRule } from '@partner-portal/core/schedule/schedule.ts';
import type { Template } from '@partner-portal/core/template/types.ts';
import { changesBetween, originOf, recordAudit } from '#modules/1-ledger/audit/index.ts';
import type { Actor } from '#platform/actor.ts';
import { inScope } from '#platform/db/scope.ts';
import type { Database, Tx } from '#platform/db/tx.ts';
import type { RequestContext } from '#platform/http/context.ts';
import { requireMatch } from '#platform/http/preconditions.ts';
import { refuse, refuseField } from '#platform/refuse.ts';
import { cancelReminders, listPlanned } from './store-planned.ts';
import { findSchedule, removeSchedule, saveSchedule, type ScheduledWorkflow } from './store-schedules.ts';

export type ScheduleDeps = { db: Database; templateOf: (name: string) => Template | undefined };
export type ScheduleChange = Omit<ScheduleRule, 'weekdays'> & { weekdays?: readonly number[] | undefined; enabled: boolean };

export async function readSchedule(deps: ScheduleDeps, actor: Actor, workflowId: string) {
  return inScope(deps.db, actor, undefined, (tx) => readRecord(deps, tx, workflowId));
}

/** Sets when a workflow runs by itself. Refuses a template whose required inputs only an event can provide. */
export async function putSchedule(deps: ScheduleDeps, context: RequestContext, workflowId: string, change: ScheduleChange) {
  return inScope(deps.db, context.actor, undefined, async (tx) => {
    const before = await mustFind(tx, workflowId, true);
    if (before.schedule) requireMatch(context.header('if-match'), before.schedule.updatedAt);
    const template = deps.templateOf(before.templateName);
    const missing = template ? missingScheduleInputs(template) : [];
    if (missing.length > 0) {
      const names = missing.map((one) => one.label).join(', ');
      return refuse('invalid_state', {
        detail: `This agent runs on events: each run needs values that only an event can provide (${names}).`,
      });
    }
    const rule = ruleOf(change);
    const next = { ...rule, enabled: change.enabled };
    const changes = changesBetween(plain(before.schedule), next);
    if (Object.keys(changes).length > 0) {
      const kind = template && scheduleKind(template) === 'bookings' ? 'bookings' : 'run';
      await saveSchedule(tx, before, { ...next, kind }, change.enabled ? firstDueAt(kind, rule, context.now) : null);
      if (!change.enabled) await cancelReminders(tx, workflowId, 'schedule_off');
      await audit(tx, context, before, 'workflow.schedule_changed', changes);
    }
    return readRecord(deps, tx, workflowId);
  });
}

/** Deletes the schedule: the workflow runs by events only. Idempotent. */
export async function deleteSchedule(deps: ScheduleDeps, context: RequestContext, workflowId: string): Promise<undefined> {
  return inScope(deps.db, context.actor, undefined, async (tx) => {
    const before = await mustFind(tx, workflowId, true);
    if (!before.schedule) return undefined;
    await removeSchedule(tx, workflowId);
    await cancelReminders(tx, workflowId, 'schedule_off');
    await audit(tx, context, before, 'workflow.schedule_removed', changesBetween(plain(before.schedule), { enabled: false }));
    return undefined;
  });
}

/** Bookings are polled at once: visits of the next hours would otherwise get no reminder. */
function firstDueAt(kind: 'run' | 'bookings', rule: ScheduleRule, now: Date): Date {
  const next = nextRunAt(rule, now);
  return kind === 'bookings' ? now : next;
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

async function readRecord(deps: ScheduleDeps, tx: Tx, workflowId: string) {
  const { id, templateName, timezone, schedule } = await mustFind(tx, workflowId, false);
  const template = deps.templateOf(templateName);
  return {
    workflowId: id,
    schedule,
    nextRunAt: schedule?.dueAt ?? null,
    last:
      schedule?.lastDueAt && schedule.lastOutcome
        ? {
            dueAt: schedule.lastDueAt,
            outcome: schedule.lastOutcome,
            reason: schedule.lastReason,
            executionId: schedule.lastExecutionId,
            found: schedule.lastFound,
          }
        : null,
    kind: template ? scheduleKind(template) : ('run' as const),
    planned: await listPlanned(tx, id),
    suggested: template ? suggestedRule(template, timezone) : null,
    missingInputs: template ? missingScheduleInputs(template) : [],
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
  action: AuditAction,
  changes: Record<string, [unknown, unknown]>,
) {
  const { id, partnerId, clientId, name } = workflow;
  const target = { type: 'workflow', id, label: name };
  await recordAudit(tx, { partnerId, clientId, actor: context.actor, action, target, changes, origin: originOf(context) });
}
