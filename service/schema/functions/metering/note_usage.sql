-- Notes what the hourly counters of agents gained, in the transaction that counts it. A purge only removes rows: sums of all agencies keep what they were.
create or replace function note_counted_runs() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  if tg_op = 'INSERT' then
    insert into usage_delta (partner_id, workflow_id, client_id, hour, counter, credits, succeeded, failed, contacted, helped)
    select n.partner_id, n.workflow_id, n.client_id, n.hour, 'ended_runs', n.credits, n.succeeded, n.failed, n.contacted, n.helped from counted n;
  else
    insert into usage_delta (partner_id, workflow_id, client_id, hour, counter, credits, succeeded, failed, contacted, helped)
    select n.partner_id, n.workflow_id, n.client_id, n.hour, 'ended_runs', sum(n.credits), sum(n.succeeded), sum(n.failed), sum(n.contacted), sum(n.helped)
    from (select c.partner_id, c.workflow_id, c.client_id, c.hour, c.succeeded, c.failed, c.credits, c.contacted, c.helped from counted c
      union all select b.partner_id, b.workflow_id, b.client_id, b.hour, -b.succeeded, -b.failed, -b.credits, -b.contacted, -b.helped from before_it b) n group by 1, 2, 3, 4;
  end if;
  return null;
end $$;
create or replace trigger workflow_hour_added after insert on workflow_hour
  referencing new table as counted for each statement execute function note_counted_runs();
create or replace trigger workflow_hour_changed after update on workflow_hour
  referencing old table as before_it new table as counted for each statement execute function note_counted_runs();

-- Notes what was added to the ledger: each entry by its kind, and AI tokens that belong to no run once more, for their client.
create or replace function note_ledger() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  insert into usage_delta (partner_id, client_id, hour, counter, credits, entries)
  select n.partner_id, k.client_id, date_trunc('hour', n.at, 'UTC'), k.counter, -sum(n.credits), count(*)
  from entered n cross join lateral (
    select n.kind as counter, null::uuid as client_id
    union all select 'ai_calls', n.client_id where n.kind = 'ai_tokens' and n.execution_id is null) k
  group by 1, 2, 3, 4;
  return null;
end $$;
create or replace trigger usage_entry_added after insert on usage_entry
  referencing new table as entered for each statement execute function note_ledger();
