-- Columns that indexes of failing and silent agents can hold: the run of an agent changes them at most once a day, or when a streak begins or ends, so that its other updates stay
-- in their page. The indexes that are declared in indexes.sql are dropped first, as the table is written anew; they are built again after the start.
drop index if exists workflow_text;
drop index if exists workflow_newest;
drop index if exists workflow_not_installed;
drop index if exists workflow_paused;
drop index if exists workflow_template;
drop index if exists workflow_version;
alter table workflow
  add column last_run_day date generated always as ((last_run_at at time zone 'UTC')::date) stored,
  add column has_failures boolean not null generated always as (consecutive_failures > 0) stored;
