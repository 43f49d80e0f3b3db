-- Claims due deliveries and records their attempts. Each endpoint is a lane. Round-robin over the lanes of a partner, then over partners,
-- within the capacity the sender passes per lane and partner: a lane that hangs is full and does not delay the others.
-- kind: send (attempt recorded), lapsed (expired lease: attempt `n` was interrupted), inactive (endpoint disabled or deleted).
create or replace function claim_deliveries(
  worker text, batch int, lease_seconds int, lane_room int, partner_room int, lanes uuid[], lane_rooms int[], partners uuid[], partner_rooms int[]
) returns table (kind text, delivery_id uuid, partner_id uuid, endpoint_id uuid, event_type text, body text, n int, attempt_count int, interrupted_count int,
  url text, secret_sealed bytea, secret_key_id text, data_key_id uuid, data_key_sealed bytea, data_key_master_id text, data_key_destroyed_at timestamptz, traceparent text)
language sql security definer set search_path = public, pg_temp set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_bitmapscan = off as $$
  with recursive lane as (
    (select q.endpoint_id, q.partner_id from delivery_queue q order by q.endpoint_id limit 1)
    union all
    select x.endpoint_id, x.partner_id from lane l cross join lateral (
      select q.endpoint_id, q.partner_id from delivery_queue q where q.endpoint_id > l.endpoint_id order by q.endpoint_id limit 1) x
  ), clock as (
    -- After a restart of Postgres, live senders get five seconds to record outcomes before their claims are taken over.
    select now() > pg_postmaster_start_time() + interval '5 seconds' as takes_over
  ), room as (
    select l.partner_id, l.endpoint_id, coalesce(p.room, partner_room) as of_partner,
      least(coalesce(e.room, lane_room), coalesce(p.room, partner_room), batch) as of_lane
    from lane l
    left join unnest(lanes, lane_rooms) as e(id, room) on e.id = l.endpoint_id
    left join unnest(partners, partner_rooms) as p(id, room) on p.id = l.partner_id
  ), due as (
    select r.partner_id, r.of_partner, d.delivery_id, d.due_at, d.place
    from room r cross join clock cross join lateral (
      select q.delivery_id, q.due_at, row_number() over (order by q.due_at, q.delivery_id) as place from delivery_queue q
      where q.endpoint_id = r.endpoint_id and q.due_at <= now() and (q.claimed_by is null or (q.claimed_by <> worker and clock.takes_over))
      order by q.due_at, q.delivery_id limit r.of_lane
    ) d where r.of_lane > 0
  ), ranked as (
    select d.*, row_number() over (partition by d.partner_id order by d.place, d.due_at, d.delivery_id) as turn from due d
  ), chosen as (
    select q.tid from (
      select t.partner_id, t.delivery_id from ranked t where t.turn <= t.of_partner order by t.turn, t.due_at, t.delivery_id limit batch
    ) t cross join lateral (
      select x.ctid as tid from delivery_queue x where x.partner_id = t.partner_id and x.delivery_id = t.delivery_id
        and x.due_at <= now() and x.claimed_by is distinct from worker
      for update skip locked
    ) q
  ), claimed as (
    -- By ctid, which the row locks keep stable: a join could get a bad cached plan, because the queue is mostly empty.
    update delivery_queue q set claimed_by = worker, due_at = now() + make_interval(secs => lease_seconds),
      tries = q.tries + case when q.claimed_by is null and (
        select e.is_active and e.deleted_at is null from webhook_endpoint e where e.id = q.endpoint_id limit 1) then 1 else 0 end
    where q.ctid = any (array(select c.tid from chosen c))
    returning new.delivery_id, new.partner_id, new.endpoint_id, new.tries,
      case when old.claimed_by is not null then 'lapsed' when new.tries > old.tries then 'send' else 'inactive' end as kind
  ), started as (
    insert into delivery_attempt (partner_id, delivery_id, n) select c.partner_id, c.delivery_id, c.tries from claimed c where c.kind = 'send'
  )
  select c.kind, c.delivery_id, c.partner_id, c.endpoint_id, d.event_type, d.body, c.tries, coalesce(d.attempt_count, 0), coalesce(d.interrupted_count, 0),
    e.url, e.secret_sealed, e.secret_key_id, k.id, k.sealed_key, k.master_key_id, k.destroyed_at, d.traceparent
  from claimed c
  left join lateral (select x.event_type, x.body, x.attempt_count, x.interrupted_count, x.traceparent from delivery x where x.id = c.delivery_id limit 1) d on true
  left join lateral (select x.url, x.secret_sealed, x.secret_key_id from webhook_endpoint x where x.id = c.endpoint_id limit 1) e on true
  left join lateral (
    select x.id, x.sealed_key, x.master_key_id, x.destroyed_at from partner_data_key x where x.partner_id = c.partner_id limit 1) k on true
$$;
revoke execute on function claim_deliveries from public;
grant execute on function claim_deliveries to portal_service;
