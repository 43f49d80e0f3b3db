-- Claims due dispatches by turns between partners, so that a burst of one partner hardly delays the others. Runs under way (claimed, or handed over
-- for at most `place_seconds`) are bounded: `window_runs` in all, half of them of one partner. A partner with none under way may have one beyond the
-- window, up to half as many again in all: a newcomer never waits for those who have filled it. When more are under way than the window now allows,
-- as many partners with one run each have the places beyond it. Events over 16 KiB share `free_bytes`, and one partner has `share_bytes` of it at
-- most (its first event always): the larger ones wait, others pass.
-- The due time of a claimed row is that of its claim: nothing was sent before. Dispatches beyond the first contacts of their client are taken back
-- (hold_first_contacts). `other_run_at`: when another run of the agent that may text the same person was claimed and has not ended (other_runs).
-- `about_at`, `last_mail_at`: when its person was last reached, and an address of the event mailed, about the same quote or visit (sent_about), or may be right now (being_sent_about). `listed_addresses`: addresses among the values of the event, and recipients that the settings name, that are on the stop list. `refusal`: why its agent may no longer run
-- (accept_executions), or what ended the plan of its quote or visit (ended_plan). `is_being_set_up`: its agents may have no flow, or another one soon. A last row without an execution says whether runs wait for a place, and how many were taken back.
create or replace function claim_dispatches(worker text, batch int, share int, lease_seconds int, free_bytes int, share_bytes int, window_runs int, place_seconds int, first_contacts int)
returns table (execution_id uuid, partner_id uuid, workflow_id uuid, client_id uuid, provider_flow_id text, template_name text, template_version int, attempts int, misses int, created_at timestamptz,
  input jsonb, understood jsonb, config jsonb, client_name text, timezone text, locale text, business_profile jsonb, text_countries text[], business_phone text, last_contact_at timestamptz, about_at timestamptz, last_mail_at timestamptz, other_run_at timestamptz, opted_out boolean, number_opted_out boolean, listed_addresses text[], is_planned boolean, keyword text, refusal text, is_being_set_up boolean, bytes int,
  is_full boolean, held int)
language plpgsql security definer set search_path = public, pg_temp set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
declare
  mine uuid[];
  has_texts boolean;
  wait_for_place boolean;
  taken_back int := 0;
begin
  with recursive waiting as (
    (select d.partner_id from dispatch d order by d.partner_id limit 1)
    union all
    (select (select d.partner_id from dispatch d where d.partner_id > w.partner_id order by d.partner_id limit 1) from waiting w where w.partner_id is not null)
  ), busy as materialized (
    select b.partner_id, count(*)::int as runs from (
      select u.partner_id from under_way u where u.handed_at > now() - make_interval(secs => place_seconds)
      union all
      select d.partner_id from dispatch d where d.claimed_until is not null) b
    group by b.partner_id
  ), place as materialized (
    select window_runs - coalesce(sum(b.runs), 0)::int as free, (window_runs + 1) / 2 as own, (count(*) filter (where b.runs = 1))::int as singles from busy b
  ), ranked as materialized (
    select d.execution_id, d.due_at, d.bytes, d.turn, d.turn + coalesce(b.runs, 0) as load, d.own_bytes,
      d.turn <= share and d.turn + coalesce(b.runs, 0) <= (select p.own from place p) as has_turn
    from waiting w left join busy b on b.partner_id = w.partner_id cross join lateral (
      select x.execution_id, x.due_at, x.bytes, row_number() over own as turn, sum(x.bytes) over own as own_bytes from (
        select y.execution_id, y.due_at, y.bytes from dispatch y
        where y.partner_id = w.partner_id and y.due_at <= now() and y.claimed_until is null
        order by y.due_at, y.execution_id limit share + 1
      ) x window own as (order by x.due_at, x.execution_id)
    ) d where w.partner_id is not null
  ), weighed as (
    select r.*, sum(case when r.bytes > 16384 then r.bytes else 0 end) over (order by r.load, r.due_at, r.execution_id) as large_bytes
    from ranked r where r.has_turn and (r.turn = 1 or r.own_bytes <= share_bytes)
  ), placed as (
    select r.execution_id, r.place, r.place <= case when r.load = 1 then greatest(p.free + p.own, p.own - p.singles) else p.free end as has_place
    from (
      select w.execution_id, w.load, row_number() over (order by w.load, w.due_at, w.execution_id) as place
      from weighed w where w.bytes <= 16384 or w.large_bytes <= free_bytes) r cross join place p
  ), chosen as (
    select d.execution_id from dispatch d
    where d.execution_id in (select c.execution_id from placed c where c.place <= batch and c.has_place) and d.claimed_until is null
    for update skip locked
  ), claimed as (
    update dispatch d set claimed_by = worker, claimed_until = now() + make_interval(secs => lease_seconds), due_at = now(), attempts = d.attempts + 1
    from chosen c where d.execution_id = c.execution_id
    returning d.execution_id, d.texts
  )
  select array_agg(c.execution_id order by t.place), bool_or(c.texts),
    exists (select from ranked r where r.turn <= share and not r.has_turn) or exists (select from placed x where not x.has_place)
  into mine, has_texts, wait_for_place
  from claimed c join placed t on t.execution_id = c.execution_id;
  if has_texts then taken_back := hold_first_contacts(mine, first_contacts); end if;

  return query
  select c.execution_id, c.partner_id, c.workflow_id, w.client_id, w.provider_flow_id, w.template_name, w.template_version, c.attempts, c.misses, c.created_at, p.input, p.understood, w.config,
    coalesce(k.name, a.name), coalesce(k.timezone, a.timezone), coalesce(k.locale, 'en'), coalesce(k.business_profile, '{}'), k.text_countries, k.phone,
    (select m.last_at from workflow_contact m where m.partner_id = c.partner_id and m.workflow_id = c.workflow_id and m.contact = c.contact), greatest(r.contact_at, b.contact_at), greatest(r.mail_at, b.mail_at),
    case when c.texts then (select max(o.at) from other_runs(c, mine) o where o.texts) end,
    exists (select 1 from opt_out o where o.partner_id = c.partner_id and (o.client_id is null or o.client_id = w.client_id) and o.contact = c.contact),
    exists (select 1 from opt_out o where o.partner_id = c.partner_id and (o.client_id is null or o.client_id = w.client_id) and o.contact = c.texted_number),
    array(
      select n.address from unnest(l.addresses || setting_recipients(w.config)) n(address)
      where exists (select 1 from opt_out o where o.partner_id = c.partner_id and (o.client_id is null or o.client_id = w.client_id) and o.contact = n.address)),
    l.is_planned, c.keyword,
    case when w.id is null then null when not may_run_agents(a.status, k.status, s.status) then 'account_suspended' when not w.is_active then 'workflow_inactive'
      else ended_plan(c.partner_id, c.workflow_id, c.execution_id, l.event) end,
    exists (select from automation_instance i where i.partner_id = c.partner_id and i.status in ('provisioning', 'deprovisioning')),
    c.bytes, null::boolean, null::int
  from unnest(coalesce(mine, '{}')) with ordinality as t(execution_id, place)
  join dispatch c on c.execution_id = t.execution_id and c.claimed_by = worker
  left join workflow w on w.id = c.workflow_id
  left join execution_payload p on p.partner_id = c.partner_id and p.id = c.execution_id
  left join client k on k.id = w.client_id
  left join partner a on a.id = c.partner_id
  left join subscription s on s.partner_id = c.partner_id
  cross join lateral (select p.input || coalesce(p.understood, '{}') as event, exists (
    select 1 from execution e where e.id = c.execution_id and e.partner_id = c.partner_id and e.source = 'schedule') as is_planned, array(
    -- An address that is mailed has a dot behind its sign.
    select distinct lower(v.value) from jsonb_each_text(p.input || coalesce(p.understood, '{}')) v where v.value like '%_@_%._%' and length(v.value) <= 320) as addresses) l
  cross join lateral sent_about(c.workflow_id, l.event, array[c.contact, c.texted_number], l.addresses, l.is_planned) r
  cross join lateral being_sent_about(c, mine, l.event, l.addresses) b
  order by t.place;
  if wait_for_place or taken_back > 0 then
    return query select null::uuid, null::uuid, null::uuid, null::uuid, null::text, null::text, null::int, null::int, null::int, null::timestamptz, null::jsonb, null::jsonb, null::jsonb, null::text,
      null::text, null::text, null::jsonb, null::text[], null::text, null::timestamptz, null::timestamptz, null::timestamptz, null::timestamptz, null::boolean, null::boolean, null::text[], null::boolean, null::text, null::text, null::boolean, null::int, wait_for_place, taken_back;
  end if;
end $$;
revoke execute on function claim_dispatches from public;
grant execute on function claim_dispatches to portal_service;
