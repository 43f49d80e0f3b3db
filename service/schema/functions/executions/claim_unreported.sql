-- Claims executions that the engine took over and about which it is to be asked now, by turns between partners, each again after twice the time. They may
-- have ended while the service could take no report.
create or replace function claim_unreported(batch int) returns table (execution_id uuid, workflow_id uuid, provider_flow_id text, sent_at timestamptz)
language sql security definer set search_path = public, pg_temp as $$
  with due as (
    select u.execution_id, row_number() over (partition by u.partner_id order by u.ask_at) as turn, u.ask_at
    from (select * from under_way where ask_at <= now() order by ask_at limit 20 * batch) u
  ), chosen as (
    select u.execution_id from under_way u
    where u.execution_id in (select d.execution_id from due d order by d.turn, d.ask_at limit batch) and u.ask_at <= now()
    for update skip locked
  ), claimed as (
    update under_way u set asked = u.asked + 1, ask_at = now() + make_interval(secs => 5 * 2 ^ least(u.asked, 6))
    from chosen c where u.execution_id = c.execution_id
    returning u.execution_id, u.workflow_id, u.handed_at
  )
  select c.execution_id, c.workflow_id, w.provider_flow_id, c.handed_at from claimed c join workflow w on w.id = c.workflow_id where w.provider_flow_id is not null
$$;
revoke execute on function claim_unreported from public;
grant execute on function claim_unreported to portal_service;

-- After a time in which reports could be lost: all that is under way is asked about from now on, but for what is being asked about or ended. Returns how many.
create or replace function ask_about_all() returns int
language sql security definer set search_path = public, pg_temp as $$
  with held as materialized (
    select u.execution_id from under_way u for update skip locked
  ), moved as (
    update under_way u set ask_at = now(), asked = 0 from held h where u.execution_id = h.execution_id returning 1
  ) select count(*)::int from moved
$$;
revoke execute on function ask_about_all from public;
grant execute on function ask_about_all to portal_service;

-- The same for what is under way of one agency. Returns how much of it there is, with what was sent and has no answer yet; of dispatches that a worker holds,
-- those claimed at least `since_ms` ago: the flow was switched off before the later ones.
create or replace function ask_about_partner(of_partner uuid, since_ms int) returns int
language sql security definer set search_path = public, pg_temp as $$
  with held as materialized (
    select u.execution_id from under_way u where u.partner_id = of_partner for update skip locked
  ), moved as (
    update under_way u set ask_at = now(), asked = 0 from held h where u.execution_id = h.execution_id
  )
  select (select count(*)::int from under_way u where u.partner_id = of_partner)
    + (select count(*)::int from dispatch d where d.partner_id = of_partner and d.claimed_until is not null
      and (d.claimed_by is null or d.due_at <= now() - make_interval(secs => since_ms / 1000.0)))
$$;
revoke execute on function ask_about_partner from public;
grant execute on function ask_about_partner to portal_service;
