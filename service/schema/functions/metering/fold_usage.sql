-- Adds the oldest noted usage to the hours of its agency and of all. Returns how many notes it took: fewer than `at_most` means that none is left. Agencies
-- that are still to be filled wait: fill_usage counts their notes.
create or replace function fold_usage(at_most int) returns int
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  taken int;
begin
  -- Two at once would wait for each other's hours, in any order.
  if not pg_try_advisory_xact_lock(hashtext('fold_usage')) then return 0; end if;
  with noted as (
    delete from usage_delta d where d.id in (
      select x.id from usage_delta x where not exists (select from usage_fill f where f.partner_id = x.partner_id) order by x.id limit at_most)
    returning d.*
  ), of_agency as (
    insert into usage_hour as h (partner_id, hour, counter, credits, entries, succeeded, failed, contacted, helped)
    select n.partner_id, n.hour, n.counter, sum(n.credits), sum(n.entries), sum(n.succeeded), sum(n.failed), sum(n.contacted), sum(n.helped) from noted n group by 1, 2, 3
    on conflict (partner_id, hour, counter) do update set credits = h.credits + excluded.credits, entries = h.entries + excluded.entries,
      succeeded = h.succeeded + excluded.succeeded, failed = h.failed + excluded.failed, contacted = h.contacted + excluded.contacted, helped = h.helped + excluded.helped
  ), of_all as (
    insert into platform_hour as h (hour, counter, credits, entries, succeeded, failed)
    select n.hour, n.counter, sum(n.credits), sum(n.entries), sum(n.succeeded), sum(n.failed) from noted n group by 1, 2
    on conflict (hour, counter) do update set credits = h.credits + excluded.credits, entries = h.entries + excluded.entries,
      succeeded = h.succeeded + excluded.succeeded, failed = h.failed + excluded.failed
  )
  select count(*) into taken from noted;
  return taken;
end $$;
revoke execute on function fold_usage from public;
grant execute on function fold_usage to portal_system;

-- Adds all that one agency used before its notes began, and the notes with it, in one statement: what that statement sees is counted by it, what
-- commits later is noted. Returns the agency; null when none is left. It locks no row that anything else waits for.
create or replace function fill_usage() returns uuid
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  filled uuid;
begin
  if not pg_try_advisory_xact_lock(hashtext('fold_usage')) then return null; end if;
  select f.partner_id into filled from usage_fill f order by f.partner_id limit 1;
  if filled is null then return null; end if;
  with done as (
    delete from usage_fill f where f.partner_id = filled
  ), noted as (
    delete from usage_delta d where d.partner_id = filled
  ), used as (
    select h.hour, 'ended_runs' as counter, sum(h.credits) as credits, 0 as entries, sum(h.succeeded) as succeeded, sum(h.failed) as failed, sum(h.contacted) as contacted,
      sum(h.helped) as helped from workflow_hour h where h.partner_id = filled group by 1
    union all
    select date_trunc('hour', u.at, 'UTC'), k.counter, -sum(u.credits), count(*), 0, 0, 0, 0
    from usage_entry u cross join lateral (select u.kind as counter union all select 'ai_calls' where u.kind = 'ai_tokens' and u.execution_id is null) k
    where u.partner_id = filled group by 1, 2
  ), of_agency as (
    insert into usage_hour (partner_id, hour, counter, credits, entries, succeeded, failed, contacted, helped)
    select filled, u.hour, u.counter, u.credits, u.entries, u.succeeded, u.failed, u.contacted, u.helped from used u
  )
  insert into platform_hour as h (hour, counter, credits, entries, succeeded, failed)
  select u.hour, u.counter, u.credits, u.entries, u.succeeded, u.failed from used u
  on conflict (hour, counter) do update set credits = h.credits + excluded.credits, entries = h.entries + excluded.entries,
    succeeded = h.succeeded + excluded.succeeded, failed = h.failed + excluded.failed;
  return filled;
end $$;
revoke execute on function fill_usage from public;
grant execute on function fill_usage to portal_system;
