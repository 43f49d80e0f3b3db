-- Records outcomes of attempts. The attempt is always completed; the delivery changes only for the holder of its lease, except that
-- "delivered" always wins. Recording an outcome twice changes nothing.
create or replace function settle_deliveries(
  workers text[], delivery_ids uuid[], partner_ids uuid[], endpoint_ids uuid[], ns int[], nexts text[], reasons text[], waits_ms int[], spent boolean[],
  interrupted boolean[], statuses int[], durations_ms int[], errors text[], previews text[], signatures text[]
) returns void
language plpgsql security definer set search_path = public, pg_temp set plan_cache_mode = force_generic_plan
  set enable_seqscan = off set enable_bitmapscan = off as $$
#variable_conflict use_column
begin
  -- Lock order of all writers of endpoints: by id, before the queue.
  perform 1 from webhook_endpoint e where e.id = any(endpoint_ids) order by e.id for no key update;
  with item as (
    select * from unnest(workers, delivery_ids, partner_ids, ns, nexts, reasons, waits_ms, spent, interrupted, statuses, durations_ms, errors, previews,
      signatures) with ordinality
      as t(worker, delivery_id, partner_id, n, next, reason, wait_ms, spent, interrupted, status, duration_ms, error, preview, signature, ord)
  ), recorded as (
    update delivery_attempt a set http_status = i.status, duration_ms = i.duration_ms, error = i.error, response_preview = i.preview,
      signature = i.signature
    from item i where a.partner_id = any (partner_ids) and a.delivery_id = any (delivery_ids) and a.partner_id = i.partner_id
      and a.delivery_id = i.delivery_id and a.n = i.n
      -- A real outcome replaces "interrupted", never the reverse.
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
  perform notify_deliveries(partner_ids, endpoint_ids);
end $$;
revoke execute on function settle_deliveries from public;
grant execute on function settle_deliveries to portal_service;
