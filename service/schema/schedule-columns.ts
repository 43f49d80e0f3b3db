/** The schedule of `workflow w`, with its join. A client sees no row of `workflow_schedule` (`schedule_shown`). */
export const SCHEDULE = `case when (select app_client()) is not null then schedule_shown(w.id) when s.workflow_id is not null
  then jsonb_build_object('kind', s.kind, 'every', s.every, 'at', s.at, 'weekdays', s.weekdays, 'timezone', s.timezone, 'enabled', s.enabled) end as schedule`;
export const SCHEDULE_JOIN = `left join workflow_schedule s on s.workflow_id = w.id`;
