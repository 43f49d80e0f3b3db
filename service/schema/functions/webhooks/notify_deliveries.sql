-- Notifies event streams of endpoints with changed deliveries. A payload holds 8000 bytes; an endpoint takes about 110.
create or replace function notify_deliveries(partner_ids uuid[], endpoint_ids uuid[]) returns void
language sql set search_path = public, pg_temp as $$
  select pg_notify('deliveries_changed', jsonb_build_object('endpoints', jsonb_agg(jsonb_build_object('partnerId', t.partner_id, 'endpointId', t.endpoint_id)))::text)
  from (select row_number() over () as place, d.* from (select distinct * from unnest(partner_ids, endpoint_ids) as u(partner_id, endpoint_id)) d) t
  group by t.place / 60
$$;
