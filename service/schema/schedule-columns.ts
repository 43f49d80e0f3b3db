import type { AgentSchedule } from '@partner-portal/contract/records/schedule.ts';

/** What `SCHEDULE` selects: null without a schedule, and for users of a client, who see no schedules. */
export type ScheduleColumn = AgentSchedule | null;

/** The schedule of `workflow w`, with its join. */
export const SCHEDULE = `case when s.workflow_id is not null then jsonb_build_object('every', s.every, 'at', s.at, 'weekdays', s.weekdays, 'timezone', s.timezone, 'enabled', s.enabled) end as schedule`;
export const SCHEDULE_JOIN = `left join workflow_schedule s on s.workflow_id = w.id`;
