-- No index serves `is not distinct from`: where a client's rows may be many, null is compared by itself.

-- Until when first contacts of a client wait; null when none does.
create or replace function first_contacts_wait_until(owner_partner uuid, owner_client uuid) returns timestamptz
language sql stable as $$
  select min(d.held_until) from dispatch d join workflow w on w.id = d.workflow_id
  where d.partner_id = owner_partner and d.held_until > now() and w.client_id is not distinct from owner_client
$$;
revoke execute on function first_contacts_wait_until from public;

-- How many people a client may text for the first time in an hour. `standard`: its cap when it has none of its own.
create or replace function first_contact_cap(owner_client uuid, standard int) returns int
language sql stable as $$ select coalesce((select c.first_contacts_per_hour from client c where c.id = owner_client), standard) $$;
revoke execute on function first_contact_cap from public;

-- How many more people a client may text for the first time now, of those of an hour. None while others wait: they go first.
create or replace function first_contacts_left(owner_partner uuid, owner_client uuid, standard int) returns int
language sql stable as $$
  select case when first_contacts_wait_until(owner_partner, owner_client) is not null then 0 else
    first_contact_cap(owner_client, standard) - (select count(*)::int from first_contact f
    where f.partner_id = owner_partner and (f.client_id = owner_client or (owner_client is null and f.client_id is null)) and f.at > now() - interval '1 hour') end
$$;
revoke execute on function first_contacts_left from public;

-- Whether no agent of the client has texted this person, removed ones included, nor was about to in the last hour.
create or replace function is_first_contact(owner_partner uuid, owner_client uuid, person text) returns boolean
language sql stable as $$
  select not exists (select from first_contact f where f.partner_id = owner_partner and f.contact = person and f.client_id is not distinct from owner_client
      and (f.at > now() - interval '1 hour' or f.is_known))
    and not exists (select from workflow w join workflow_contact m on m.partner_id = w.partner_id and m.workflow_id = w.id and m.contact = person
      where w.partner_id = owner_partner and (w.client_id = owner_client or (owner_client is null and w.client_id is null)))
$$;
revoke execute on function is_first_contact from public;

-- Whom a run may text: its contact, or, where that is an address, the number of its event, unless the agent mails the address: it has a sender address, and
-- no one has put the address on the stop list. Null: no one.
create or replace function texted_person(owner_partner uuid, owner_client uuid, contact text, texted_number text, config jsonb) returns text
language sql stable as $$
  select case
    when texted_number is null then contact
    when coalesce(config->>'fromAddress', '') = '' or exists (
      select from opt_out o where o.partner_id = owner_partner and (o.client_id is null or o.client_id = owner_client) and o.contact = texted_person.contact) then texted_number
  end
$$;
revoke execute on function texted_person from public;

-- Takes back claimed dispatches beyond the first contacts of their client in this hour: they are due when the oldest of
-- the hour is over, a minute later at least, in their order. Returns how many. The lock of each client lets no two processes count the same room; the statement after it sees what the other has taken.
create or replace function hold_first_contacts(claimed uuid[], standard int) returns int
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  held int;
begin
  perform pg_advisory_xact_lock(hashtextextended('first_contacts ' || k.owner, 0)) from (
    select distinct coalesce(w.client_id, w.partner_id)::text as owner from dispatch d join workflow w on w.id = d.workflow_id
    where d.execution_id = any(claimed) and d.texts order by 1) k;
  with fresh as (
    -- Those whose agent may no longer run, or whose plan a later event ended, end (claim_dispatches): they take no place.
    select d.execution_id, d.partner_id, w.client_id, t.contact, d.created_at
    from dispatch d join workflow w on w.id = d.workflow_id join partner a on a.id = d.partner_id left join client c on c.id = w.client_id
      left join subscription s on s.partner_id = d.partner_id
      cross join lateral (select texted_person(d.partner_id, w.client_id, d.contact, d.texted_number, w.config) as contact) t
    where d.execution_id = any(claimed) and d.texts and w.is_active and may_run_agents(a.status, c.status, s.status) and t.contact is not null
      and is_first_contact(d.partner_id, w.client_id, t.contact)
      and (select ended_plan(d.partner_id, d.workflow_id, d.execution_id, p.input || coalesce(p.understood, '{}')) from execution_payload p
        where p.partner_id = d.partner_id and p.id = d.execution_id) is null
  ), person as (
    select f.partner_id, f.client_id, f.contact, row_number() over (partition by f.partner_id, f.client_id order by min(f.created_at), f.contact) as place
    from fresh f group by f.partner_id, f.client_id, f.contact
  ), room as materialized (
    select o.partner_id, o.client_id, first_contacts_left(o.partner_id, o.client_id, standard) as left_over,
      coalesce(first_contacts_wait_until(o.partner_id, o.client_id), greatest(now() + interval '1 minute',
        (select min(f.at) + interval '1 hour' from first_contact f
         where f.partner_id = o.partner_id and (f.client_id = o.client_id or (o.client_id is null and f.client_id is null)) and f.at > now() - interval '1 hour'))) as until
    from (select distinct partner_id, client_id from person) o
  ), decided as materialized (
    select p.*, p.place <= r.left_over as is_in_time, r.until from person p join room r on r.partner_id = p.partner_id and r.client_id is not distinct from p.client_id
  ), taken as (
    insert into first_contact (partner_id, client_id, contact) select d.partner_id, d.client_id, d.contact from decided d where d.is_in_time
    on conflict (partner_id, contact, client_id) do update set at = excluded.at
  ), released as (
    -- Nothing of it was sent: it has no attempt behind it.
    update dispatch d set claimed_by = null, claimed_until = null, attempts = d.attempts - 1, held_until = o.until, due_at = o.until
    from fresh f join decided o on o.partner_id = f.partner_id and o.client_id is not distinct from f.client_id and o.contact = f.contact
    where d.execution_id = f.execution_id and not o.is_in_time returning 1
  )
  select count(*)::int into held from released;
  return held;
end $$;
revoke execute on function hold_first_contacts from public;

-- Takes the place of a person that a conversation's agent is about to text. False: those of this hour are used up, but for the half that is kept for
-- events: visitors, who choose the numbers, must not keep a missed call from being texted.
create or replace function take_first_contact(workflow_id uuid, event_contact text, event_number text, standard int) returns boolean
language plpgsql security definer set search_path = public, pg_temp as $$
#variable_conflict use_variable
declare
  owner_partner uuid;
  owner_client uuid;
  person text;
begin
  select w.partner_id, w.client_id, texted_person(w.partner_id, w.client_id, event_contact, event_number, w.config) into owner_partner, owner_client, person
  from workflow w where w.id = workflow_id;
  if person is null then return true; end if;
  perform pg_advisory_xact_lock(hashtextextended('first_contacts ' || coalesce(owner_client, owner_partner)::text, 0));
  if not is_first_contact(owner_partner, owner_client, person) then return true; end if;
  if first_contacts_left(owner_partner, owner_client, standard) <= first_contact_cap(owner_client, standard) / 2 then return false; end if;
  insert into first_contact (partner_id, client_id, contact) values (owner_partner, owner_client, person)
  on conflict (partner_id, contact, client_id) do update set at = excluded.at;
  return true;
end $$;
revoke execute on function take_first_contact from public;
grant execute on function take_first_contact to portal_service;

-- Makes due what a client's cap of before held back: the cap decides again.
create or replace function release_first_contacts(owner_client uuid) returns int
language sql security definer set search_path = public, pg_temp as $$
  with waiting as materialized (
    select d.execution_id from dispatch d join workflow w on w.id = d.workflow_id
    where d.partner_id = (select c.partner_id from client c where c.id = owner_client) and d.held_until > now() and w.client_id = owner_client and d.claimed_until is null
      and (current_setting('role') <> 'portal_tenant' or (d.partner_id = app_partner() and app_client() is null))
    order by d.execution_id for update of d
  ), released as (
    update dispatch d set due_at = d.created_at, held_until = now() from waiting w where d.execution_id = w.execution_id returning 1
  ) select count(*)::int from released
$$;
revoke execute on function release_first_contacts from public;
grant execute on function release_first_contacts to portal_service, portal_system, portal_tenant;

-- Forgets first contacts that count no more. Those of removed agents stay (remove_agent).
create or replace function forget_first_contacts(batch int) returns int
language sql security definer set search_path = public, pg_temp as $$
  with gone as (
    delete from first_contact f where f.ctid = any(array(select g.ctid from first_contact g where not g.is_known and g.at < now() - interval '1 hour' order by g.at limit batch)) returning 1
  ) select count(*)::int from gone
$$;
revoke execute on function forget_first_contacts from public;
grant execute on function forget_first_contacts to portal_service;
