-- Notes what the hourly counters of agents gained, in the transaction that counts it. A purge only removes rows: sums of all agencies keep what they were.
create or replace function note_counted_runs() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  if tg_op = 'INSERT' then
    insert into usage_delta (partner_id, hour, counter, credits, succeeded, failed, contacted, helped)
    select n.partner_id, n.hour, 'ended_runs', sum(n.credits), sum(n.succeeded), sum(n.failed), sum(n.contacted), sum(n.helped) from counted n group by 1, 2;
  else
    insert into usage_delta (partner_id, hour, counter, credits, succeeded, failed, contacted, helped)
    select n.partner_id, n.hour, 'ended_runs', sum(n.credits), sum(n.succeeded), sum(n.failed), sum(n.contacted), sum(n.helped)
    from (select c.partner_id, c.hour, c.credits, c.succeeded, c.failed, c.contacted, c.helped from counted c
      union all select b.partner_id, b.hour, -b.credits, -b.succeeded, -b.failed, -b.contacted, -b.helped from before_it b) n group by 1, 2;
  end if;
  return null;
end $$;
create or replace trigger workflow_hour_added after insert on workflow_hour
  referencing new table as counted for each statement execute function note_counted_runs();
create or replace trigger workflow_hour_changed after update on workflow_hour
  referencing old table as before_it new table as counted for each statement execute function note_counted_runs();

-- Notes what was added to the ledger: each entry by its kind, and AI tokens that belong to no run once more.
create or replace function note_ledger() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  insert into usage_delta (partner_id, hour, counter, credits, entries)
  select n.partner_id, date_trunc('hour', n.at, 'UTC'), k.counter, -sum(n.credits), count(*)
  from entered n cross join lateral (select n.kind as counter union all select 'ai_calls' where n.kind = 'ai_tokens' and n.execution_id is null) k group by 1, 2, 3;
  return null;
end $$;
create or replace trigger usage_entry_added after insert on usage_entry
  referencing new table as entered for each statement execute function note_ledger();
