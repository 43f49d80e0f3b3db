-- What follows from an event, and the sender of deliveries. Claiming and recording are one statement each for many deliveries; like the
-- hot path of runs they cross tenants inside definer functions, because the login role may read no table (ADR 0008).

alter table event add column reaction_failures int not null default 0;
comment on column event.reaction_failures is 'how often its reactions failed; each time it waits longer, alone';

-- A process knows what it published itself and tells the dispatcher after its commit. What a function writes (usage thresholds) announces itself;
-- only those, since the server lets one announcing transaction commit at a time.
create function announce_event() returns trigger language plpgsql as $$
begin
  perform pg_notify('events', '{}');
  return null;
end $$;
create trigger event_announced after insert on event for each row when (current_user = 'portal_owner') execute function announce_event();

-- Takes due events off the list, oldest first; another process takes others. Here and below rows are found by arrays of keys and not by a join, and
-- whole tables are never read: a plan that is made while a table is empty is kept, and would be the wrong one for a full one.
create function take_due_events(batch int) returns setof event
language sql set search_path = public, pg_temp set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_bitmapscan = off as $$
  update event e set due_at = null where e.id = any (array(
    -- Times are kept to the millisecond and rounded, so an event may be due a moment after its own transaction began.
    select id from event where due_at <= now() + interval '1 millisecond' order by due_at limit batch for update skip locked))
  returning e.*
$$;

-- Whether a look is worth a transaction.
create function has_due_events() returns boolean
language sql stable security definer set search_path = public, pg_temp set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
  select exists (select from event where due_at <= now())
$$;

-- Retention never takes what is still to be done, however long the service stood still.
alter table partitioned_table add column keep_while text;
comment on column partitioned_table.keep_while is 'a condition on rows, by id: a month that holds one of them stays';
update partitioned_table set keep_while = 'due_at is not null' where name in ('event'::regclass, 'delivery'::regclass);

create or replace function maintain_partitions() returns setof text
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  parent record;
  child record;
  is_needed boolean;
begin
  for parent in select * from partitioned_table loop
    perform create_month_partitions(parent.name, now()::date, 4);
    if parent.keep_days is not null then
      for child in
        select c.oid::regclass::text as name, to_date(right(c.relname, 7), 'YYYY_MM') as month from pg_inherits i join pg_class c on c.oid = i.inhrelid
        where i.inhparent = parent.name and c.relname ~ '_\d{4}_\d{2}$'
          and to_date(right(c.relname, 7), 'YYYY_MM') + interval '1 month' < now() - make_interval(days => parent.keep_days)
      loop
        is_needed := false;
        if parent.keep_while is not null then
          -- Asked of the parent: a month has the fence but no policies of its own, so asked directly it shows no row to anybody.
          execute format('select exists (select from %s where id >= uuid_floor(%L::timestamptz) and id < uuid_floor(%L::timestamptz) and (%s))',
            parent.name, child.month, child.month + interval '1 month', parent.keep_while) into is_needed;
        end if;
        continue when is_needed;
        execute format('drop table %s', child.name);
        return next child.name;
      end loop;
    end if;
  end loop;
end $$;

-- Tells whoever shows deliveries which endpoints have news; a notice holds 8000 bytes, an endpoint about 110 of them.
create function announce_deliveries(partner_ids uuid[], endpoint_ids uuid[]) returns void
language sql set search_path = public, pg_temp as $$
  select pg_notify('deliveries_changed', jsonb_build_object('endpoints', jsonb_agg(jsonb_build_object('partnerId', t.partner_id, 'endpointId', t.endpoint_id)))::text)
  from (select row_number() over () as place, d.* from (select distinct * from unnest(partner_ids, endpoint_ids) as u(partner_id, endpoint_id)) d) t
  group by t.place / 60
$$;

-- Hands out deliveries. Every waiting endpoint is a lane; lanes of an agency take turns, agencies take turns, and each lane and agency gets
-- no more than the room its sender says it has left: a lane that hangs is full and costs the others nothing but one look at it.
-- kind: send (its attempt is recorded), lapsed (its sender died: attempt `n` was cut off), inactive (the endpoint is off or gone).
create function claim_deliveries(
  worker text, batch int, lease_seconds int, lane_room int, partner_room int, lanes uuid[], lane_rooms int[], partners uuid[], partner_rooms int[]
) returns table (kind text, delivery_id uuid, partner_id uuid, endpoint_id uuid, event_type text, body text, n int, attempt_count int, interrupted_count int,
  url text, secret_sealed bytea, secret_key_id text)
language sql security definer set search_path = public, pg_temp set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_bitmapscan = off as $$
  with recursive lane as (
    (select q.endpoint_id, q.partner_id from delivery_queue q order by q.endpoint_id limit 1)
    union all
    select x.endpoint_id, x.partner_id from lane l cross join lateral (
      select q.endpoint_id, q.partner_id from delivery_queue q where q.endpoint_id > l.endpoint_id order by q.endpoint_id limit 1) x
  ), clock as (
    -- After a restart of the server living senders record their outcomes before anybody takes their claims over.
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
  ), turned as (
    select d.*, row_number() over (partition by d.partner_id order by d.place, d.due_at, d.delivery_id) as turn from due d
  ), chosen as (
    select q.tid from (
      select t.partner_id, t.delivery_id from turned t where t.turn <= t.of_partner order by t.turn, t.due_at, t.delivery_id limit batch
    ) t cross join lateral (
      select x.ctid as tid from delivery_queue x where x.partner_id = t.partner_id and x.delivery_id = t.delivery_id
        and x.due_at <= now() and x.claimed_by is distinct from worker
      for update skip locked
    ) q
  ), claimed as (
    -- By their place on disk, which their locks hold: a join could be planned the wrong way round, for the queue is empty most of the time.
    update delivery_queue q set claimed_by = worker, due_at = now() + make_interval(secs => lease_seconds),
      tries = q.tries + case when q.claimed_by is null and (
        select e.is_active and e.deleted_at is null from webhook_endpoint e where e.id = q.endpoint_id limit 1) then 1 else 0 end
    where q.ctid = any (array(select c.tid from chosen c))
    returning new.delivery_id, new.partner_id, new.endpoint_id, new.tries,
      case when old.claimed_by is not null then 'lapsed' when new.tries > old.tries then 'send' else 'inactive' end as kind
  ), begun as (
    insert into delivery_attempt (partner_id, delivery_id, n) select c.partner_id, c.delivery_id, c.tries from claimed c where c.kind = 'send'
  )
  select c.kind, c.delivery_id, c.partner_id, c.endpoint_id, d.event_type, d.body, c.tries, coalesce(d.attempt_count, 0), coalesce(d.interrupted_count, 0),
    e.url, e.secret_sealed, e.secret_key_id
  from claimed c
  left join lateral (select x.event_type, x.body, x.attempt_count, x.interrupted_count from delivery x where x.id = c.delivery_id limit 1) d on true
  left join lateral (select x.url, x.secret_sealed, x.secret_key_id from webhook_endpoint x where x.id = c.endpoint_id limit 1) e on true
$$;

-- Records outcomes. An attempt's own record is always completed; the delivery moves only for whoever holds its claim, except that a delivered one
-- is delivered whoever says so. An outcome that is told twice changes nothing the second time.
create function settle_deliveries(
  workers text[], delivery_ids uuid[], partner_ids uuid[], endpoint_ids uuid[], ns int[], nexts text[], reasons text[], waits_ms int[], spent boolean[],
  interrupted boolean[], statuses int[], durations_ms int[], errors text[], previews text[]
) returns void
language plpgsql security definer set search_path = public, pg_temp set plan_cache_mode = force_generic_plan
  set enable_seqscan = off set enable_bitmapscan = off as $$
#variable_conflict use_column
begin
  -- One lock order for everybody who touches endpoints: by id, before the queue.
  perform 1 from webhook_endpoint e where e.id = any(endpoint_ids) order by e.id for no key update;
  with item as (
    select * from unnest(workers, delivery_ids, partner_ids, ns, nexts, reasons, waits_ms, spent, interrupted, statuses, durations_ms, errors, previews) with ordinality
      as t(worker, delivery_id, partner_id, n, next, reason, wait_ms, spent, interrupted, status, duration_ms, error, preview, ord)
  ), told as (
    update delivery_attempt a set http_status = i.status, duration_ms = i.duration_ms, error = i.error, response_preview = i.preview
    from item i where a.partner_id = any (partner_ids) and a.delivery_id = any (delivery_ids) and a.partner_id = i.partner_id
      and a.delivery_id = i.delivery_id and a.n = i.n
      -- What really happened is worth more than "cut off", whoever comes last.
      and (not i.interrupted or a.duration_ms is null)
  ), held as (
    select i.*, q.tid from item i cross join lateral (
      select x.ctid as tid from delivery_queue x where x.partner_id = i.partner_id and x.delivery_id = i.delivery_id
        and (i.next = 'delivered' or (x.claimed_by = i.worker and x.tries = i.n))
      for update
    ) q
  ), left_queue as (
    delete from delivery_queue q where q.ctid = any (array(select h.tid from held h where h.next <> 'again'))
  ), waiting as (
    update delivery_queue q set claimed_by = null, due_at = now() + make_interval(secs => h.wait_ms / 1000.0)
    from held h where q.ctid = h.tid and h.next = 'again'
  ), moved as (
    update delivery d set status = case h.next when 'again' then 'pending' else h.next end, reason = h.reason,
      due_at = case h.next when 'again' then now() + make_interval(secs => h.wait_ms / 1000.0) end,
      attempt_count = d.attempt_count + h.spent::int, interrupted_count = d.interrupted_count + h.interrupted::int,
      finished_at = case h.next when 'again' then null else now() end
    from held h where d.id = any (delivery_ids) and d.id = h.delivery_id and d.status = 'pending'
    returning d.endpoint_id, d.status, h.ord, h.interrupted or h.reason is not distinct from 'endpoint_inactive' as silent
  ), summed as (
    select m.endpoint_id, (array_agg(m.status order by m.ord desc))[1] as status,
      count(*) filter (where m.status = 'failed' and m.ord > coalesce(m.last_good, 0))::int as failed_since, bool_or(m.last_good is not null) as reset
    from (select m.*, max(m.ord) filter (where m.status = 'delivered') over (partition by m.endpoint_id) as last_good from moved m where not m.silent) m
    group by m.endpoint_id
  )
  update webhook_endpoint e set last_delivery_status = s.status, last_delivery_at = now(),
    failure_streak = case when s.reset then s.failed_since else e.failure_streak + s.failed_since end
  from summed s where e.id = s.endpoint_id;
  perform announce_deliveries(partner_ids, endpoint_ids);
end $$;

revoke execute on function has_due_events, claim_deliveries, settle_deliveries from public;
grant execute on function has_due_events, claim_deliveries, settle_deliveries to portal_service;
