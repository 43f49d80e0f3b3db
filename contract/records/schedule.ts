import { z } from 'zod';
import { id, time, timezone } from '../primitives.ts';
import { PLANNED_KINDS, PLANNED_STATUSES, SCHEDULE_KINDS, SCHEDULE_OUTCOMES, SCHEDULE_UNITS } from '../vocabulary.ts';

/** 1 is Monday, 7 is Sunday. */
const weekdays = z.array(z.number().int().min(1).max(7)).max(7);

const scheduleRule = z.object({ every: z.enum(SCHEDULE_UNITS), at: z.string(), weekdays: z.array(z.number().int()), timezone: z.string() });

const storedSchedule = scheduleRule.extend({ enabled: z.boolean() });

/** The schedule of an agent, as its record shows it. One of `bookings` reads bookings and plans runs. */
export const agentSchedule = storedSchedule.extend({ kind: z.enum(SCHEDULE_KINDS) });
export type AgentSchedule = z.infer<typeof agentSchedule>;

/** `at` is local time as HH:MM; an hourly schedule uses only the minutes. No weekdays: every day. */
export const scheduleInput = z.object({
  every: z.enum(SCHEDULE_UNITS),
  at: z
    .string()
    .trim()
    .regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'Use a time of day such as 07:30.'),
  weekdays: weekdays.optional(),
  timezone,
  enabled: z.boolean(),
});

/** A planned run, waiting or done: a reminder of a visit, a nudge about a quote. */
const plannedRun = z.object({
  id,
  kind: z.enum(PLANNED_KINDS),
  /** Name of the contact. */
  label: z.string(),
  dueAt: time,
  status: z.enum(PLANNED_STATUSES),
  reason: z.string().nullable(),
  executionId: id.nullable(),
});

export const scheduleRecord = z
  .object({
    workflowId: id,
    schedule: storedSchedule.nullable(),
    nextRunAt: time.nullable(),
    /** The last due time: a run, or the reason why there was none (a refusal code, as for events). */
    last: z
      .object({
        dueAt: time,
        outcome: z.enum(SCHEDULE_OUTCOMES),
        reason: z.string().nullable(),
        executionId: id.nullable(),
        /** Bookings: how many reminders were planned after that check. */
        found: z.number().int().nullable(),
      })
      .nullable(),
    /** The template's suggestion, in the client's time zone. */
    suggested: scheduleRule.nullable(),
    /** The effect of a schedule for this agent. */
    kind: z.enum(SCHEDULE_KINDS),
    /** Planned runs: the next 50, and the last ten with their outcome. */
    planned: z.object({ waiting: z.array(plannedRun), waitingTotal: z.number().int(), recent: z.array(plannedRun) }),
    /** Required inputs that a schedule cannot supply; if not empty, the agent cannot have a schedule. */
    missingInputs: z.array(z.object({ key: z.string(), label: z.string() })),
    updatedAt: time.nullable(),
  })
  .meta({ id: 'Schedule' });
