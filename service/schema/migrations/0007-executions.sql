-- Runs: accepted, dispatched, reported, metered. The hot path is three functions that take arrays and answer per item;
-- they are the one place where a statement crosses tenants (ARCHITECTURE, The hot path). Their plans are kept: planning them anew for each
-- batch would cost more than running them.

create table execution (
  id uuid not null,
  partner_id uuid not null,
  client_id uuid,
  workflow_id uuid not null,
  status text not null default 'RUNNING' check (status in ('RUNNING', 'SUCCEEDED', 'FAILED')),
  source text not null check (source in ('ingest', 'trigger', 'schedule', 'rerun', 'chatbot', 'test')),
  summary text not null,
  template_version int not null,
  credits_held int not null,
  credits_charged int not null default 0,
  started_at timestamptz(3) not null default now(),
  finished_at timestamptz(3),
  due_at timestamptz(3) not null,
  error_code text,
  error_message text,
  error_step text,
  rerun_of uuid,
  late boolean not null default false,
  primary key (id)
) partition by range (id);
create index execution_partner on execution (partner_id, id desc);
create index execution_client on execution (partner_id, client_id, id desc);
create index execution_workflow on execution (workflow_id, id desc);
create index execution_failed on execution (partner_id, id desc) where status = 'FAILED';
create index execution_running on execution (due_at) where status = 'RUNNING';
call fence('execution', 'client_id');
call partition_by_month('execution');

-- What went in and what came out. Kept apart, because it is dropped after 90 days while the run stays. Its one index serves look-ups by
-- run (with the run's agency) and the fence: every further index is paid by each event.
create table execution_payload (
  id uuid not null,
  partner_id uuid not null,
  client_id uuid,
  input jsonb not null,
  output jsonb,
  steps jsonb,
  timed boolean not null default false,
  sender_address text,
  body_preview text,
  primary key (partner_id, id)
) partition by range (id);
comment on column execution_payload.timed is 'the steps carry the engine''s own times';
comment on column execution_payload.body_preview is 'what the inbound log shows of an accepted event, masked; like its sender shown for 14 days only';
call fence('execution_payload', 'client_id', 'select');
call partition_by_month('execution_payload', 90);

-- The inbound log: calls that made no run of their own. An event that did is told by its run, which spares it a row and an index entry here.
create table inbound_event (
  id uuid not null default uuidv7(),
  partner_id uuid not null,
  client_id uuid,
  workflow_id uuid not null,
  received_at timestamptz(3) not null default now(),
  outcome text not null check (outcome in ('accepted', 'refused')),
  reason text,
  status int not null,
  sender_address text,
  body_preview text,
  execution_id uuid,
  primary key (partner_id, workflow_id, id)
) partition by range (id);
call fence('inbound_event', 'client_id', 'select');
call partition_by_month('inbound_event', 14);

create table idempotency_key (
  partner_id uuid not null,
  scope text not null,
  key_hash bytea not null,
  execution_id uuid not null,
  created_at timestamptz(3) not null default now(),
  primary key (partner_id, scope, key_hash)
);
create index idempotency_key_age on idempotency_key (created_at);
call fence('idempotency_key', null);

-- Runs that the engine has not taken yet. A row leaves when the engine has answered (or when it may have).
create table dispatch (
  execution_id uuid primary key,
  partner_id uuid not null,
  workflow_id uuid not null,
  due_at timestamptz(3) not null default now(),
  attempts int not null default 0,
  misses int not null default 0,
  contact text,
  claimed_by text,
  claimed_until timestamptz(3),
  created_at timestamptz(3) not null default now()
);
comment on column dispatch.misses is 'how often the engine said it knows no such flow: believed only after a few seconds, since a republish says so for a moment';
comment on column dispatch.contact is 'the person the event is about (E.164), for whom last contact and stop list are looked up';
create index dispatch_queue on dispatch (partner_id, due_at, execution_id);
create index dispatch_claims on dispatch (claimed_until) where claimed_until is not null;
call fence('dispatch', null);
grant select (execution_id, partner_id, created_at) on dispatch to portal_tenant;

-- Accepts events. One row per item comes back, in order:
--   accepted | replayed (same Idempotency-Key: execution_id is the first one) | retry (lost a race for its key: ask again)
--   or the reason of refusal: not_found, account_suspended, workflow_inactive, rate_limited, quota_exceeded, missing_input.
-- The order of checks is product.md §5.7. A refused item never fails its neighbours.
create function accept_executions(
  execution_ids uuid[], workflow_ids uuid[], sources text[], inputs jsonb[], summaries text[], over_rate boolean[], body_problems text[],
  key_hashes bytea[], sender_addresses text[], previews text[], reruns uuid[], scope_partners uuid[], scope_clients uuid[], timeout_minutes int[],
  latest_versions int[], contacts text[], audits jsonb[]
) returns table (ord int, outcome text, execution_id uuid, partner_id uuid, client_id uuid, quota_used int, quota_limit int)
language plpgsql security definer set search_path = public, pg_temp set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
declare
  partners uuid[];
begin
  select array_agg(distinct w.partner_id) into partners from workflow w where w.id = any(workflow_ids);
  if exists (select 1 from partner_quota q where q.partner_id = any(partners) and q.period_end <= now()) then
    perform roll_quota(partners);
  end if;
  return query
  with item as (
    select * from unnest(execution_ids, workflow_ids, sources, inputs, summaries, over_rate, body_problems, key_hashes, sender_addresses, previews,
      reruns, scope_partners, scope_clients, timeout_minutes, latest_versions, contacts, audits) with ordinality
      as t(execution_id, workflow_id, source, input, summary, over_rate, body_problem, key_hash, sender, preview, rerun_of, scope_partner, scope_client, timeout, latest_version,
        contact, audit, ord)
  ), known as (
    select i.*, w.partner_id, w.client_id, w.credits_per_run as cost, coalesce(w.template_version, i.latest_version) as version, prior.execution_id as prior_id,
      case
        when w.id is null or (i.scope_partner is not null and w.partner_id <> i.scope_partner)
          or (i.scope_client is not null and w.client_id is distinct from i.scope_client) then 'not_found'
        when p.status <> 'active' or coalesce(c.status, 'active') <> 'active' or coalesce(s.status, 'active') in ('expired', 'suspended', 'cancelled') then 'account_suspended'
        when not w.is_active or w.provider_flow_id is null then 'workflow_inactive'
        when i.over_rate then 'rate_limited'
      end as refusal
    from item i
    left join workflow w on w.id = i.workflow_id
    left join partner p on p.id = w.partner_id
    left join client c on c.id = w.client_id
    left join subscription s on s.partner_id = w.partner_id
    left join idempotency_key prior on i.key_hash is not null and prior.partner_id = w.partner_id and prior.scope = i.workflow_id::text and prior.key_hash = i.key_hash
  ), quota as materialized (
    select q.partner_id, q.used, q.in_flight, q.monthly_credits + q.purchased_credits as allowance
    from partner_quota q where q.partner_id in (select k.partner_id from known k where k.refusal is null and k.prior_id is null)
    order by q.partner_id for update
  ), weighed as (
    select k.*, q.allowance, q.used + q.in_flight as taken,
      sum(case when k.refusal is null and k.prior_id is null and k.body_problem is null then k.cost else 0 end) over (partition by k.partner_id order by k.ord) as wanted
    from known k left join quota q on q.partner_id = k.partner_id
  ), decided as (
    select w.*, case
        when w.refusal is not null then w.refusal
        when w.prior_id is not null then 'replayed'
        when w.allowance is null or w.taken + w.cost > w.allowance then 'quota_exceeded'
        when w.body_problem is not null then w.body_problem
        when w.taken + w.wanted > w.allowance then 'quota_exceeded'
        else 'accepted'
      end as verdict
    from weighed w
  ), keyed as (
    insert into idempotency_key (partner_id, scope, key_hash, execution_id)
    select d.partner_id, d.workflow_id::text, d.key_hash, d.execution_id from decided d where d.verdict = 'accepted' and d.key_hash is not null
    on conflict do nothing
    returning execution_id
  ), final as (
    select d.*, case when d.verdict = 'accepted' and d.key_hash is not null and not exists (select 1 from keyed k where k.execution_id = d.execution_id)
      then 'retry' else d.verdict end as result
    from decided d
  ), new_execution as (
    insert into execution (id, partner_id, client_id, workflow_id, source, summary, template_version, credits_held, due_at, rerun_of)
    select f.execution_id, f.partner_id, f.client_id, f.workflow_id, f.source, f.summary, f.version, f.cost, now() + make_interval(mins => f.timeout), f.rerun_of
    from final f where f.result = 'accepted'
  ), new_payload as (
    insert into execution_payload (id, partner_id, client_id, input, sender_address, body_preview)
    select f.execution_id, f.partner_id, f.client_id, f.input, f.sender, f.preview from final f where f.result = 'accepted'
  ), new_dispatch as (
    insert into dispatch (execution_id, partner_id, workflow_id, contact)
    select f.execution_id, f.partner_id, f.workflow_id, f.contact from final f where f.result = 'accepted'
  ), new_inbound as (
    insert into inbound_event (partner_id, client_id, workflow_id, outcome, reason, status, sender_address, body_preview, execution_id)
    select f.partner_id, f.client_id, f.workflow_id, case when f.result = 'replayed' then 'accepted' else 'refused' end,
      case when f.result = 'replayed' then null else f.result end,
      case f.result when 'account_suspended' then 403 when 'workflow_inactive' then 409 when 'rate_limited' then 429 when 'quota_exceeded' then 402
        when 'malformed_json' then 400 when 'too_large' then 413 when 'unsupported_media_type' then 415 when 'replayed' then 202 else 422 end,
      f.sender, f.preview, f.prior_id
    from final f where f.source = 'ingest' and f.partner_id is not null and f.result not in ('accepted', 'retry', 'not_found')
  ), new_audit as (
    insert into audit_entry (partner_id, client_id, actor_type, actor_id, actor_email, actor_via, action, target_type, target_id, changes, ip, user_agent, request_id)
    select f.partner_id, f.client_id, f.audit->>'actorType', (f.audit->>'actorId')::uuid, f.audit->>'actorEmail', f.audit->>'actorVia', f.audit->>'action', 'execution',
      f.execution_id::text, coalesce(f.audit->'changes', '{}'), f.audit->>'ip', f.audit->>'userAgent', f.audit->>'requestId'
    from final f where f.result = 'accepted' and f.audit is not null
  ), held as (
    update partner_quota q set in_flight = q.in_flight + h.cost
    from (select f.partner_id, sum(f.cost) as cost from final f where f.result = 'accepted' group by f.partner_id) h
    where q.partner_id = h.partner_id
  )
  -- What is taken includes what this very batch took before the item.
  select f.ord::int, f.result, coalesce(f.prior_id, f.execution_id), f.partner_id, f.client_id, least(f.taken + f.wanted, f.allowance)::int, f.allowance
  from final f order by f.ord;
end $$;

-- What never changes about a workflow, for checking an event's body before the batch: read once per workflow and process.
create function workflow_facts(workflow_id uuid) returns table (partner_id uuid, client_id uuid, template_name text)
language sql stable security definer set search_path = public, pg_temp set plan_cache_mode = force_generic_plan as $$
  select w.partner_id, w.client_id, w.template_name from workflow w where w.id = workflow_id
$$;

-- Hands out runs to dispatch, a share per agency in turn, so that one agency's burst delays another's event by its own share only.
create function claim_dispatches(worker text, batch int, share int, lease_seconds int)
returns table (execution_id uuid, partner_id uuid, workflow_id uuid, client_id uuid, provider_flow_id text, template_name text, attempts int, misses int, created_at timestamptz,
  input jsonb, config jsonb, client_name text, timezone text, business_profile jsonb, last_contact_at timestamptz, opted_out boolean)
language sql security definer set search_path = public, pg_temp set plan_cache_mode = force_generic_plan as $$
  with recursive waiting as (
    (select d.partner_id from dispatch d order by d.partner_id limit 1)
    union all
    (select (select d.partner_id from dispatch d where d.partner_id > w.partner_id order by d.partner_id limit 1) from waiting w where w.partner_id is not null)
  ), ranked as (
    select d.execution_id, d.due_at, row_number() over (partition by w.partner_id order by d.due_at, d.execution_id) as turn
    from waiting w cross join lateral (
      select x.execution_id, x.due_at from dispatch x
      where x.partner_id = w.partner_id and x.due_at <= now() and x.claimed_until is null
      order by x.due_at, x.execution_id limit share
    ) d where w.partner_id is not null
  ), chosen as (
    select d.execution_id from dispatch d
    where d.execution_id in (select r.execution_id from ranked r order by r.turn, r.due_at limit batch) and d.claimed_until is null
    for update skip locked
  ), claimed as (
    update dispatch d set claimed_by = worker, claimed_until = now() + make_interval(secs => lease_seconds), attempts = d.attempts + 1
    from chosen c where d.execution_id = c.execution_id
    returning d.execution_id, d.partner_id, d.workflow_id, d.attempts, d.misses, d.contact, d.created_at
  )
  select c.execution_id, c.partner_id, c.workflow_id, w.client_id, w.provider_flow_id, w.template_name, c.attempts, c.misses, c.created_at, p.input, w.config,
    coalesce(k.name, a.name), coalesce(k.timezone, a.timezone), coalesce(k.business_profile, '{}'),
    (select m.last_at from workflow_contact m where m.partner_id = c.partner_id and m.workflow_id = c.workflow_id and m.contact = c.contact),
    exists (select 1 from opt_out o where o.partner_id = c.partner_id and (o.client_id is null or o.client_id = w.client_id) and o.contact = c.contact)
  from claimed c
  left join workflow w on w.id = c.workflow_id
  left join execution_payload p on p.partner_id = c.partner_id and p.id = c.execution_id
  left join client k on k.id = w.client_id
  left join partner a on a.id = c.partner_id
$$;

-- Takes what is finished off the queue; puts back what may be tried again at its due time.
create function settle_dispatches(done uuid[], again uuid[], again_in_ms int[], missed boolean[]) returns void
language sql security definer set search_path = public, pg_temp set plan_cache_mode = force_generic_plan as $$
  -- One lock order for everybody who waits for rows of the queue: by run. Runs are ended while they are settled.
  select 1 from dispatch d where d.execution_id = any(done || again) order by d.execution_id for update;
  delete from dispatch where execution_id = any(done);
  update dispatch d set claimed_by = null, claimed_until = null, due_at = now() + make_interval(secs => a.wait_ms / 1000.0), misses = d.misses + a.missed::int
  from unnest(again, again_in_ms, missed) as a(execution_id, wait_ms, missed) where d.execution_id = a.execution_id;
$$;

-- Claims that outlived their worker. The engine may or may not have been called, so it is asked before anything is sent again.
create function claim_lapsed_dispatches(worker text, batch int, lease_seconds int)
returns table (execution_id uuid, provider_flow_id text, created_at timestamptz)
language sql security definer set search_path = public, pg_temp set plan_cache_mode = force_generic_plan as $$
  with chosen as (
    select d.execution_id from dispatch d where d.claimed_until <= now() order by d.claimed_until limit batch for update skip locked
  ), claimed as (
    update dispatch d set claimed_by = worker, claimed_until = now() + make_interval(secs => lease_seconds) from chosen c where d.execution_id = c.execution_id
    returning d.execution_id, d.workflow_id, d.created_at
  )
  select c.execution_id, w.provider_flow_id, c.created_at from claimed c left join workflow w on w.id = c.workflow_id
$$;

-- What is needed to tell a finished run as a sentence and to know on whose key its language model ran.
create function report_facts(execution_ids uuid[], providers text[]) returns table (ord int, template_name text, input jsonb, on_platform_key boolean)
language sql stable security definer set search_path = public, pg_temp set plan_cache_mode = force_generic_plan as $$
  select t.ord::int, w.template_name, p.input, coalesce((
    select c.source_mode = 'platform' from engine_connection c
    where t.provider is not null and c.partner_id = e.partner_id and c.provider = t.provider and (c.client_id is null or c.client_id = e.client_id)
    order by c.client_id nulls last limit 1), false)
  from unnest(execution_ids, providers) with ordinality as t(id, provider, ord)
  join execution e on e.id = t.id
  left join workflow w on w.id = e.workflow_id
  left join execution_payload p on p.partner_id = e.partner_id and p.id = e.id
  order by t.ord
$$;

-- The engine's own step times, stored once: a finished run does not change any more.
create function store_step_times(execution_id uuid, new_steps jsonb) returns void
language sql security definer set search_path = public, pg_temp as $$
  update execution_payload p set steps = new_steps, timed = true from execution e
  where e.id = execution_id and p.partner_id = e.partner_id and p.id = e.id and not p.timed
$$;

-- Ends runs: a report (SUCCEEDED or FAILED), a refused dispatch or the timeout job. Guarded by the status, so a second report changes nothing.
-- A run that only the timeout failed may be corrected once by a late report. Charges, frees what was held, counts the hour, remembers the contact.
-- The threshold event is written here too, in the transaction of the run that crosses it.
create function finish_executions(
  execution_ids uuid[], workflow_ids uuid[], statuses text[], summaries text[], outputs jsonb[], steps jsonb[], error_codes text[], error_messages text[],
  error_steps text[], contacts text[], opt_outs text[], ai_credits int[], from_timeout boolean, portal_url text
) returns table (ord int, found boolean, applied boolean, partner_id uuid)
language plpgsql security definer set search_path = public, pg_temp set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
declare
  changed jsonb;
begin
  -- One lock order for everybody who ends runs: runs, agents, the queue, then meters; each by id.
  perform 1 from execution e where e.id = any(execution_ids) order by e.id for update;
  perform 1 from workflow w where w.id = any(workflow_ids) order by w.id for no key update;
  perform 1 from dispatch d where d.execution_id = any(execution_ids) order by d.execution_id for update;
  with item as (
    select * from unnest(execution_ids, workflow_ids, statuses, summaries, outputs, steps, error_codes, error_messages, error_steps, contacts, opt_outs, ai_credits) with ordinality
      as t(id, workflow_id, status, summary, output, steps, error_code, error_message, error_step, contact, opt_out, ai_credits, ord)
  ), first as (
    select distinct on (i.id) i.* from item i order by i.id, i.ord
  ), ended as (
    update execution e set status = i.status, summary = coalesce(i.summary, e.summary), finished_at = now(), error_code = i.error_code, error_message = i.error_message,
      error_step = i.error_step, credits_charged = case when i.status = 'SUCCEEDED' then e.credits_held else 0 end, late = (e.status <> 'RUNNING')
    from first i
    where e.id = i.id and e.workflow_id = i.workflow_id
      and (e.status = 'RUNNING' or (not from_timeout and e.status = 'FAILED' and e.error_code = 'timeout' and not e.late))
    returning e.id, e.partner_id, e.client_id, e.workflow_id, e.status, e.credits_held, e.credits_charged, e.late, e.started_at, i.output, i.steps, i.contact, i.opt_out, i.ai_credits, i.ord
  ), kept as (
    update execution_payload p set output = coalesce(d.output, p.output), steps = coalesce(d.steps, p.steps) from ended d where p.partner_id = d.partner_id and p.id = d.id
  ), unqueued as (
    delete from dispatch d using ended e where d.execution_id = e.id
  ), metered as (
    insert into usage_entry (id, kind, partner_id, client_id, workflow_id, execution_id, credits, note)
    select d.id, 'run', d.partner_id, d.client_id, d.workflow_id, d.id, -d.credits_charged, '' from ended d where d.credits_charged > 0
    union all
    select d.id, 'ai_tokens', d.partner_id, d.client_id, d.workflow_id, d.id, -d.ai_credits, 'AI tokens on a platform key' from ended d where d.ai_credits > 0
    on conflict do nothing
  ), counted as (
    insert into workflow_hour as h (partner_id, workflow_id, client_id, hour, succeeded, failed, credits, contacted, helped)
    select d.partner_id, d.workflow_id, d.client_id, date_trunc('hour', d.started_at), count(*) filter (where d.status = 'SUCCEEDED')::int,
      (count(*) filter (where d.status = 'FAILED') - count(*) filter (where d.late))::int, sum(d.credits_charged + d.ai_credits)::int, count(d.contact)::int,
      count(*) filter (where d.status = 'SUCCEEDED' and coalesce(d.output->>'skipped', '') <> 'true')::int
    from ended d group by 1, 2, 3, 4 order by 1, 2, 4
    on conflict (partner_id, workflow_id, hour) do update set succeeded = h.succeeded + excluded.succeeded, failed = h.failed + excluded.failed,
      credits = h.credits + excluded.credits, contacted = h.contacted + excluded.contacted, helped = h.helped + excluded.helped
  )
  select jsonb_agg(jsonb_build_object('id', d.id, 'ord', d.ord, 'partner', d.partner_id, 'client', d.client_id, 'workflow', d.workflow_id, 'status', d.status,
    'late', d.late, 'held', case when d.late then 0 else d.credits_held end, 'charged', d.credits_charged + d.ai_credits, 'contact', d.contact, 'opt_out', d.opt_out)) into changed from ended d;

  if changed is not null then
    update workflow w set last_run_at = now(), consecutive_failures = case when t.last_status = 'SUCCEEDED' then 0 else w.consecutive_failures + t.failures end
    from (select (c->>'workflow')::uuid as id, count(*) filter (where c->>'status' = 'FAILED' and not (c->>'late')::boolean)::int as failures,
            (array_agg(c->>'status' order by (c->>'ord')::int desc))[1] as last_status
          from jsonb_array_elements(changed) c group by 1 order by 1) t
    where w.id = t.id;
    insert into workflow_contact (partner_id, workflow_id, contact, last_at)
    select distinct on (2, 3) (c->>'partner')::uuid, (c->>'workflow')::uuid, c->>'contact', now() from jsonb_array_elements(changed) c where c->>'contact' is not null order by 2, 3
    on conflict (partner_id, workflow_id, contact) do update set last_at = excluded.last_at;
    insert into opt_out (partner_id, client_id, contact)
    select distinct (c->>'partner')::uuid, (c->>'client')::uuid, c->>'opt_out' from jsonb_array_elements(changed) c where c->>'opt_out' is not null order by 1, 2, 3
    on conflict do nothing;
    perform settle_quota(changed, portal_url);
  end if;

  return query
  select t.ord::int, e.id is not null, coalesce(changed @> jsonb_build_array(jsonb_build_object('id', t.id, 'ord', t.ord)), false), e.partner_id
  from unnest(execution_ids, workflow_ids) with ordinality as t(id, workflow_id, ord)
  left join execution e on e.id = t.id and e.workflow_id = t.workflow_id order by t.ord;
end $$;

-- Frees what ended runs held, adds what they cost, and announces each usage threshold once per period.
create function settle_quota(changed jsonb, portal_url text) returns void
language plpgsql security definer set search_path = public, pg_temp set plan_cache_mode = force_generic_plan as $$
begin
  if exists (select 1 from partner_quota q where q.period_end <= now() and q.partner_id in (select (c->>'partner')::uuid from jsonb_array_elements(changed) c)) then
    perform roll_quota((select array_agg(distinct (c->>'partner')::uuid) from jsonb_array_elements(changed) c));
  end if;
  with delta as (
    select (c->>'partner')::uuid as partner_id, sum((c->>'held')::int)::int as held, sum((c->>'charged')::int)::int as charged
    from jsonb_array_elements(changed) c group by 1
  ), locked as materialized (
    select q.partner_id, q.highest_threshold from partner_quota q where q.partner_id in (select d.partner_id from delta d) order by q.partner_id for update
  ), moved as (
    update partner_quota q set in_flight = greatest(0, q.in_flight - d.held), used = q.used + d.charged,
      highest_threshold = greatest(q.highest_threshold, coalesce((
        select max(t) from unnest(q.thresholds) t where (q.used + d.charged)::bigint * 100 >= t::bigint * (q.monthly_credits + q.purchased_credits)), 0))
    from delta d, locked l where q.partner_id = d.partner_id and l.partner_id = d.partner_id
    returning q.*, l.highest_threshold as before
  )
  insert into event (partner_id, type, data, due_at)
  select m.partner_id, 'usage.threshold_crossed', jsonb_build_object(
      'partnerId', m.partner_id, 'partnerName', p.name, 'portalUrl', portal_url || '/dashboard/usage', 'metric', 'credits', 'thresholdPercent', t,
      'used', m.used, 'limit', m.monthly_credits + m.purchased_credits, 'remaining', greatest(0, m.monthly_credits + m.purchased_credits - m.used),
      'periodStart', iso_time(m.period_start), 'periodEnd', iso_time(m.period_end),
      'topClients', coalesce((select jsonb_agg(jsonb_build_object('id', x.id, 'name', x.name, 'used', x.used)) from (
        select k.id, k.name, sum(h.credits)::int as used from workflow_hour h join client k on k.id = h.client_id
        where h.partner_id = m.partner_id and h.hour >= date_trunc('hour', m.period_start) group by k.id, k.name order by 3 desc limit 5) x), '[]')), now()
  from moved m join partner p on p.id = m.partner_id cross join lateral unnest(m.thresholds) t
  where t > m.before and t <= m.highest_threshold;
end $$;

create function iso_time(at timestamptz) returns text language sql immutable
  as $$ select to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') $$;

-- The timeout job: runs past their deadline, a bounded batch at a time.
create function overdue_executions(batch int) returns table (id uuid, workflow_id uuid, template_name text, input jsonb, minutes int)
language sql stable security definer set search_path = public, pg_temp as $$
  select e.id, e.workflow_id, w.template_name, p.input, round(extract(epoch from e.due_at - e.started_at) / 60)::int
  from execution e left join workflow w on w.id = e.workflow_id left join execution_payload p on p.partner_id = e.partner_id and p.id = e.id
  where e.status = 'RUNNING' and e.due_at <= now() order by e.due_at limit batch
$$;

-- Answers to a repeated Idempotency-Key are kept for a day.
create function sweep_idempotency_keys(batch int) returns int
language sql security definer set search_path = public, pg_temp as $$
  with old as (
    delete from idempotency_key k where (k.partner_id, k.scope, k.key_hash) in (
      select o.partner_id, o.scope, o.key_hash from idempotency_key o where o.created_at < now() - interval '24 hours' order by o.created_at limit batch)
    returning 1
  ) select count(*)::int from old
$$;

revoke execute on function accept_executions, workflow_facts, claim_dispatches, settle_dispatches, claim_lapsed_dispatches, report_facts, store_step_times,
  finish_executions, settle_quota, overdue_executions, sweep_idempotency_keys from public;
grant execute on function accept_executions, workflow_facts, claim_dispatches, settle_dispatches, claim_lapsed_dispatches, report_facts, store_step_times,
  finish_executions, overdue_executions, sweep_idempotency_keys to portal_service;
