-- Adds the oldest noted usage, of all agencies or of one, to the hours and longer spans of its agency, to the spans of its agent, and to the hours of all. Returns how
-- many notes it took: fewer than `at_most` means that none is left.
create or replace function fold_usage(at_most int, of_partner uuid default null) returns int
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  taken int;
begin
  -- Two at once would wait for each other's hours, in any order. A purge needs its agency folded before it goes on.
  if of_partner is not null then perform pg_advisory_xact_lock(hashtext('fold_usage'));
  elsif not pg_try_advisory_xact_lock(hashtext('fold_usage')) then return 0;
  end if;
  with noted as (
    delete from usage_delta d where d.id in (
      select x.id from usage_delta x where of_partner is null or x.partner_id = of_partner order by x.id limit at_most)
    returning d.*
  ), of_agency as (
    insert into usage_hour as h (partner_id, hour, counter, credits, entries, succeeded, failed, contacted)
    select n.partner_id, n.hour, n.counter, sum(n.credits), sum(n.entries), sum(n.succeeded), sum(n.failed), sum(n.contacted) from noted n group by 1, 2, 3
    on conflict (partner_id, hour, counter) do update set credits = h.credits + excluded.credits, entries = h.entries + excluded.entries,
      succeeded = h.succeeded + excluded.succeeded, failed = h.failed + excluded.failed, contacted = h.contacted + excluded.contacted
  ), of_all as (
    insert into platform_hour as h (hour, counter, credits, entries, succeeded, failed)
    select n.hour, n.counter, sum(n.credits), sum(n.entries), sum(n.succeeded), sum(n.failed) from noted n group by 1, 2
    on conflict (hour, counter) do update set credits = h.credits + excluded.credits, entries = h.entries + excluded.entries,
      succeeded = h.succeeded + excluded.succeeded, failed = h.failed + excluded.failed
  ), longer as (
    select n.partner_id, s.span, date_trunc(s.span, n.hour, 'UTC') as starts, n.counter, n.workflow_id, n.client_id,
      sum(n.credits) as credits, sum(n.succeeded) as succeeded, sum(n.failed) as failed, sum(n.helped) as helped
    from noted n cross join (values ('day'), ('month'), ('year')) s(span) where n.counter in ('ended_runs', 'ai_calls') group by 1, 2, 3, 4, 5, 6
  ), spans_of_agency as (
    insert into usage_span as s (partner_id, span, starts, counter, credits, succeeded, failed)
    select l.partner_id, l.span, l.starts, l.counter, sum(l.credits), sum(l.succeeded), sum(l.failed) from longer l group by 1, 2, 3, 4
    on conflict (partner_id, span, starts, counter) do update set credits = s.credits + excluded.credits, succeeded = s.succeeded + excluded.succeeded,
      failed = s.failed + excluded.failed
  ), spans_of_agents as (
    insert into agent_span as s (partner_id, span, starts, workflow_id, client_id, credits, succeeded, failed, helped)
    select l.partner_id, l.span, l.starts, l.workflow_id, l.client_id, l.credits, l.succeeded, l.failed, l.helped from longer l
    on conflict (partner_id, span, starts, workflow_id, client_id) do update set credits = s.credits + excluded.credits, succeeded = s.succeeded + excluded.succeeded,
      failed = s.failed + excluded.failed, helped = s.helped + excluded.helped
  )
  select count(*) into taken from noted;
  return taken;
end $$;
revoke execute on function fold_usage from public;
grant execute on function fold_usage to portal_system;
