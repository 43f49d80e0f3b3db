-- Deletes idempotency keys older than a day.
create or replace function sweep_idempotency_keys(batch int) returns int
language sql security definer set search_path = public, pg_temp as $$
  with old as (
    delete from idempotency_key k where (k.partner_id, k.scope, k.key_hash) in (
      select o.partner_id, o.scope, o.key_hash from idempotency_key o where o.created_at < now() - interval '24 hours' order by o.created_at limit batch)
      -- Checked on the row itself: an event may take the key over while this waits for it.
      and k.created_at < now() - interval '24 hours'
    returning 1
  ) select count(*)::int from old
$$;
revoke execute on function sweep_idempotency_keys from public;
grant execute on function sweep_idempotency_keys to portal_service;
