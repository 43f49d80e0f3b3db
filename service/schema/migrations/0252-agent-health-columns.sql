-- Columns for the indexes of failing and silent agents. A run of an agent changes them at most once a day, or when a streak begins or ends; its other updates can
-- stay in their page. The table is rewritten, so the indexes that indexes.sql declares are dropped first, and built again after the start.
drop index if exists workflow_text;
drop index if exists workflow_newest;
drop index if exists workflow_not_installed;
drop index if exists workflow_paused;
drop index if exists workflow_template;
drop index if exists workflow_version;
alter table workflow
  add column last_run_day date generated always as ((last_run_at at time zone 'UTC')::date) stored,
  add column has_failures boolean not null generated always as (consecutive_failures > 0) stored;
analyze workflow (last_run_day, has_failures);
