-- What the engine has taken over and has not ended. The dispatcher bounds it per engine and per agency, and what is long under way is asked about.
-- No reference to execution: like the queue, it is written for a thousand executions a second. High turnover: vacuumed early.
create table under_way (
  execution_id uuid primary key,
  partner_id uuid not null,
  workflow_id uuid not null,
  handed_at timestamptz not null default now(),
  ask_at timestamptz not null,
  asked int not null default 0
) with (autovacuum_vacuum_threshold = 500, autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_cost_delay = 0);
comment on table under_way is 'executions that the engine runs: bounded per engine and per agency';
comment on column under_way.handed_at is 'when the dispatcher claimed it: its timeout counts from here';
comment on column under_way.ask_at is 'when the engine is asked whether it has ended without a report that arrived';
create index under_way_partner on under_way (partner_id, execution_id);
-- Those that hold a place are counted at each claim without those under way for longer.
create index under_way_handed on under_way (handed_at) include (partner_id);
create index under_way_ask on under_way (ask_at);
call fence('under_way', null);
-- What the engine took over before: asked about from the first start on. Runs of conversations were never handed over.
insert into under_way (execution_id, partner_id, workflow_id, handed_at, ask_at)
select e.id, e.partner_id, e.workflow_id, e.started_at, now() from execution e
where e.status = 'RUNNING' and e.source <> 'chatbot' and not exists (select from dispatch d where d.execution_id = e.id);

alter table dispatch add column timeout_minutes int check (timeout_minutes > 0);
comment on column dispatch.timeout_minutes is 'how long it may run once the engine has it; null in rows from before it was counted from there';
-- Whether it waits for the engine''s capacity or for the engine.
grant select (attempts) on dispatch to portal_tenant;
