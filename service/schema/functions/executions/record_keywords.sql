-- Agents that receive the events of a batch, by their place in it, whether or not they accept them; `is_repeated`: by the key of an earlier event.
create or replace function known_events(workflow_ids uuid[], key_hashes bytea[], scope_partners uuid[], scope_clients uuid[])
returns table (ord bigint, partner_id uuid, client_id uuid, workflow_id uuid, is_repeated boolean) language sql stable as $$
  select i.ord, w.partner_id, w.client_id, w.id,
    exists (select from idempotency_key k where i.key_hash is not null and k.partner_id = w.partner_id and k.scope = i.workflow_id::text and k.key_hash = i.key_hash
      and k.created_at >= now() - interval '24 hours')
  from unnest(workflow_ids, key_hashes, scope_partners, scope_clients) with ordinality as i(workflow_id, key_hash, scope_partner, scope_client, ord)
  join workflow w on w.id = i.workflow_id
  join partner p on p.id = w.partner_id and p.status <> 'deleted'
  left join client c on c.id = w.client_id
  where c.status is distinct from 'deleted'
    and (i.scope_partner is null or w.partner_id = i.scope_partner) and (i.scope_client is null or w.client_id = i.scope_client)
$$;
revoke execute on function known_events from public;

-- Records what people asked for by text (core/contact/opt-out.ts), in their order: an opt-out for every agent of the client, also when its event is refused for
-- credits, pace or an agent that is off; texts again, which only an event of the phone provider may ask for. A repeated event and a rerun record nothing.
-- Returns the keyword that ends each run, or null: `yes` is one only when its sender had opted out. Takes rows of opt_out before any quota, as finish_executions does.
create or replace function record_keywords(
  execution_ids uuid[], workflow_ids uuid[], sources text[], key_hashes bytea[], reruns uuid[], scope_partners uuid[], scope_clients uuid[],
  keywords text[], keyword_contacts text[], keyword_found_by text[]
) returns text[] language plpgsql security definer set search_path = public, pg_temp set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
declare
  one record;
  effective text[] := array_fill(null::text, array[cardinality(keywords)]);
begin
  for one in
    select i.ord, i.execution_id, i.source, i.rerun_of, i.keyword, i.contact, i.found_by, e.partner_id, e.client_id, e.is_repeated
    from unnest(execution_ids, sources, reruns, keywords, keyword_contacts, keyword_found_by) with ordinality
      as i(execution_id, source, rerun_of, keyword, contact, found_by, ord)
    join known_events(workflow_ids, key_hashes, scope_partners, scope_clients) e on e.ord = i.ord
    where i.keyword is not null
    order by e.partner_id, e.client_id, i.contact, i.ord
  loop
    if one.keyword = 'opt_out' then
      effective[one.ord] := 'opt_out';
      if one.rerun_of is null and not one.is_repeated then
        insert into opt_out (partner_id, client_id, contact, reason, execution_id) values (one.partner_id, one.client_id, one.contact, one.found_by, one.execution_id)
        on conflict do nothing;
      end if;
    elsif one.source = 'ingest' and one.keyword = 'help' then
      effective[one.ord] := 'help';
    elsif one.source = 'ingest' and not one.is_repeated then
      delete from opt_out o where o.partner_id = one.partner_id and o.client_id is not distinct from one.client_id and o.contact = one.contact;
      effective[one.ord] := case when found or one.keyword = 'opt_in' then 'opt_in' end;
    end if;
  end loop;
  return effective;
end $$;
revoke execute on function record_keywords from public;
