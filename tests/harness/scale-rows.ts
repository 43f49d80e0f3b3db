import type pg from 'pg';

/** Runs one statement as the administrator, always on the same connection: the rows are spread with a temporary table. */
export type Query = <Row extends pg.QueryResultRow>(text: string, values?: unknown[]) => Promise<Row[]>;

/** Number of records of each kind. One agency has a tenth of the clients and a fifth of the runs, one a hundredth of each. */
export type Size = { agencies: number; clients: number; runs: number };

/** A run in a thousand has an agency, one in a hundred a client. */
export function sizeFor(runs: number): Size {
  return { agencies: Math.max(10, Math.round(runs / 1_000)), clients: Math.max(100, Math.round(runs / 100)), runs };
}

export type Sized = 'small' | 'large' | 'huge';
/** Ids of an agency: a member, a user of its first client, and one record of each kind that a path or a filter names. */
export type Seat = { partnerId: string; clientId: string; workflowId: string; executionId: string; ownerId: string; clientUserId: string };
export type Seats = Record<Sized, Seat> & { staffId: string; housePartnerId: string };

const DAYS = 365;
const BATCH = 100_000;

/** Creates three agencies with a client, an agent, a run and their users, and a staff user. Until more is added, the database is almost empty. */
export async function addSeats(query: Query): Promise<Seats> {
  const [staff] = await query<{ id: string; partner_id: string }>(
    `insert into app_user (email, full_name, role, partner_id, sessions_valid_from)
     select 'staff@scale.test', 'Staff', 'ADMIN', id, now() - interval '1 day' from partner where is_house returning id, partner_id`,
  );
  if (!staff) throw new Error('There is no house partner.');
  const [small, large, huge] = [await addSeat(query, 'small'), await addSeat(query, 'large'), await addSeat(query, 'huge')];
  return { small, large, huge, staffId: staff.id, housePartnerId: staff.partner_id };
}

async function addSeat(query: Query, name: Sized): Promise<Seat> {
  const [row] = await query<Seat>(
    `with p as (insert into partner (name, slug, timezone) values ('The ' || $1 || ' agency', 'scale-' || $1, 'America/Chicago') returning id),
      s as (insert into subscription (partner_id, plan_id, status, current_period_start, current_period_end, period_anchor, currency)
        select p.id, l.id, 'active', now() - interval '20 days', now() + interval '10 days', now() + interval '10 days', l.currency from p, plan l where l.name = 'Scale'),
      q as (insert into partner_quota (partner_id, period_start, period_end, period_anchor, monthly_credits)
        select id, now() - interval '20 days', now() + interval '10 days', now() + interval '10 days', 1000000000 from p),
      c as (insert into client (partner_id, name, timezone) select id, 'First client', 'America/Chicago' from p returning id, partner_id),
      o as (insert into app_user (email, full_name, role, partner_role, partner_id, sessions_valid_from)
        select 'owner@' || $1 || '.test', 'Owner', 'PARTNER', 'admin', id, now() - interval '1 day' from p returning id),
      u as (insert into app_user (email, full_name, role, partner_id, client_id, sessions_valid_from)
        select 'reader@' || $1 || '.test', 'Reader', 'CLIENT', partner_id, id, now() - interval '1 day' from c returning id),
      w as (insert into workflow (partner_id, client_id, template_name, template_version, name, provider_flow_id)
        select partner_id, id, 'missed-call-text-back', 1, 'Missed-call text-back', 'flow-' || id from c returning id, partner_id, client_id),
      e as (insert into execution (id, partner_id, client_id, workflow_id, status, source, summary, template_version, credits_held, credits_charged, started_at, finished_at, due_at)
        select uuidv7(), partner_id, client_id, id, 'SUCCEEDED', 'ingest', 'Texted the caller', 1, 1, 1, now(), now(), now() from w returning id, partner_id, client_id, workflow_id),
      x as (insert into execution_payload (id, partner_id, client_id, input) select id, partner_id, client_id, '{"callerNumber": "+13125550121"}' from e)
    select e.partner_id as "partnerId", e.client_id as "clientId", e.workflow_id as "workflowId", e.id as "executionId", o.id as "ownerId", u.id as "clientUserId" from e, o, u`,
    [name],
  );
  if (!row) throw new Error(`The ${name} agency was not made.`);
  return row;
}

/**
 * Fills the database: accounts, agents, twelve months of runs with what follows from them, and what else lists and pages read. Rows are added without
 * triggers and references, and their indexes are built afterwards: ten million runs take minutes, not hours.
 */
export async function fillDatabase(query: Query, seats: Seats, size: Size): Promise<void> {
  await addAccounts(query, seats, size);
  for (const table of ['execution', 'usage_entry', 'audit_entry'])
    await query(`select create_month_partitions($1::regclass, (now() - interval '13 months')::date, 13)`, [table]);
  for (const table of ['execution_payload', 'event', 'delivery'])
    await query(`select create_month_partitions($1::regclass, (now() - interval '4 months')::date, 4)`, [table]);
  await query(`set session_replication_role = replica`);
  await query(`set synchronous_commit = off`);
  await query(`set work_mem = '512MB'`);
  await query(`set maintenance_work_mem = '1GB'`);
  await withoutIndexes(query, ['execution', 'execution_payload', 'usage_entry'], async () => {
    for (let from = 0; from < size.runs; from += BATCH) await addRuns(query, from, Math.min(BATCH, size.runs - from), size.runs);
  });
  await withoutIndexes(query, ['workflow_hour', 'usage_hour', 'usage_span', 'agent_span'], () => addSums(query));
  await query(
    `update workflow w set last_run_at = x.at from (select workflow_id, max(started_at) as at from execution group by 1) x where x.workflow_id = w.id`,
  );
  await query(`update workflow w set consecutive_failures = 4 from scale_workflow s where s.id = w.id and s.n % 50 = 7`);
  await addTraces(query, size);
  await addRecords(query);
  for (const name of ['session_replication_role', 'synchronous_commit', 'work_mem', 'maintenance_work_mem']) await query(`reset ${name}`);
}

/** Drops the indexes of these tables that no key needs, adds the rows, and builds them again. */
async function withoutIndexes(query: Query, tables: string[], add: () => Promise<void>): Promise<void> {
  const indexes = await query<{ name: string; definition: string }>(
    `select i.indexrelid::regclass::text as name, replace(pg_get_indexdef(i.indexrelid), ' ON ONLY ', ' ON ') as definition
     from pg_index i where i.indrelid = any($1::regclass[]) and not exists (select from pg_constraint c where c.conindid = i.indexrelid) order by 1`,
    [tables],
  );
  for (const { name } of indexes) await query(`drop index ${name}`);
  await add();
  for (const { definition } of indexes) await query(definition);
}

/** The counters of the runs and the sums of these and of the ledger, as the triggers and fold_usage would have made them one by one: by time, so that rows of one time lie together. */
async function addSums(query: Query): Promise<void> {
  await query(`insert into workflow_hour (partner_id, workflow_id, client_id, hour, succeeded, failed, credits, contacted, helped)
    select partner_id, workflow_id, client_id, date_trunc('hour', started_at, 'UTC'), count(*) filter (where status = 'SUCCEEDED'), count(*) filter (where status = 'FAILED'),
      sum(credits_charged), count(*) filter (where status = 'SUCCEEDED'), count(*) filter (where status = 'SUCCEEDED')
    from execution where status <> 'RUNNING' group by 1, 2, 3, 4 order by 4, 1, 2 on conflict do nothing`);
  await query(`insert into usage_hour (partner_id, hour, counter, credits, entries, succeeded, failed, contacted)
    select partner_id, hour, 'ended_runs', sum(credits), 0, sum(succeeded), sum(failed), sum(contacted) from workflow_hour group by 1, 2
    union all select partner_id, date_trunc('hour', at, 'UTC'), kind, -sum(credits), count(*), 0, 0, 0 from usage_entry group by 1, 2, 3 order by 2, 1, 3`);
  await query(`insert into platform_hour (hour, counter, credits, entries, succeeded, failed)
    select hour, counter, sum(credits), sum(entries), sum(succeeded), sum(failed) from usage_hour group by 1, 2`);
  for (const [span, from, starts] of [
    ['day', 'workflow_hour', 'hour'],
    ['month', `agent_span where span = 'day'`, 'starts'],
    ['year', `agent_span where span = 'month'`, 'starts'],
  ] as const)
    await query(`insert into agent_span (partner_id, span, starts, workflow_id, client_id, credits, succeeded, failed, helped)
      select partner_id, '${span}', date_trunc('${span}', ${starts}, 'UTC'), workflow_id, client_id, sum(credits), sum(succeeded), sum(failed), sum(helped)
      from ${from} group by 1, 3, 4, 5 order by 3, 1, 4, 5`);
  await query(`insert into usage_span (partner_id, span, starts, counter, credits, succeeded, failed)
    select partner_id, span, starts, 'ended_runs', sum(credits), sum(succeeded), sum(failed) from agent_span group by 1, 2, 3 order by 2, 3, 1`);
}

async function addAccounts(query: Query, { huge, large }: Seats, { agencies, clients }: Size): Promise<void> {
  await query(
    `with p as (insert into partner (name, slug, timezone)
        select 'Agency ' || n, 'scale-agency-' || n, (array['UTC', 'America/Chicago', 'Europe/Berlin', 'Asia/Kolkata'])[1 + n % 4] from generate_series(1, $1::int) n returning id),
      s as (insert into subscription (partner_id, plan_id, status, current_period_start, current_period_end, period_anchor, currency)
        select p.id, l.id, 'active', now() - interval '20 days', now() + interval '10 days', now() + interval '10 days', l.currency from p, plan l where l.name = 'Growth'),
      q as (insert into partner_quota (partner_id, period_start, period_end, period_anchor, monthly_credits)
        select id, now() - interval '20 days', now() + interval '10 days', now() + interval '10 days', 1000000 from p)
    insert into app_user (email, full_name, role, partner_role, partner_id)
      select 'owner@' || id || '.test', 'Owner of ' || left(id::text, 8), 'PARTNER', 'admin', id from p`,
    [agencies],
  );
  await query(
    `with other as (select array_agg(id order by id) as ids from partner where slug like 'scale-agency-%'),
      c as (insert into client (partner_id, name, contact_name, contact_email, external_ref)
        select case when n <= $1::int / 10 then $2::uuid when n <= $1::int / 10 + $1::int / 100 then $3::uuid else o.ids[1 + n % cardinality(o.ids)] end,
          'Client ' || n || ' ' || left(md5(n::text), 6), 'Contact ' || n, 'contact' || n || '@client.test', 'ref-' || n
        from other o, generate_series(1, $1::int) n returning id, partner_id),
      w as (insert into workflow (partner_id, client_id, template_name, template_version, name, provider_flow_id)
        select partner_id, id, 'missed-call-text-back', 1, 'Missed-call text-back', 'flow-' || id from c returning id)
    insert into workflow (partner_id, client_id, template_name, template_version, name, provider_flow_id)
      select partner_id, id, 'lead-qualifier', 1, 'Lead qualifier', 'flow-l-' || id from c where substr(id::text, 36, 1) in ('0', '5', 'a')`,
    [clients, huge.partnerId, large.partnerId],
  );
  // The runs of the huge agency go to the first numbers, the others to the rest.
  await query(`create temporary table scale_workflow as select row_number() over (order by partner_id <> '${huge.partnerId}', id)::int - 1 as n, id, partner_id, client_id, name,
      partner_id = '${huge.partnerId}' as is_huge from workflow`);
  await query('create unique index on scale_workflow (n)');
  await query(`insert into automation_instance (partner_id, provider, status, tenancy_mode, provisioned_at)
    select id, 'embedded', 'ready', 'shared', now() from partner where slug like 'scale-%'`);
  // Compared with the engine last night: of one agent in a thousand someone has changed the flow.
  await query(`insert into workflow_drift (workflow_id, partner_id, state, provider_flow_id, found_at)
    select w.id, w.partner_id, case when s.n % 1000 = 7 then 'changed' else 'none' end, w.provider_flow_id, case when s.n % 1000 = 7 then now() end
    from scale_workflow s join workflow w on w.id = s.id`);
  await query('analyze scale_workflow');
}

/** Run i of all: when it began is spread over the year, a fifth are of the huge agency, one in twenty failed, the newest still run. */
async function addRuns(query: Query, from: number, count: number, all: number): Promise<void> {
  await query(
    `with size as (select count(*) filter (where is_huge)::int as huge, count(*)::int as all_of from scale_workflow),
      run as (select i, now() - interval '${DAYS} days' * (1 - (i + 0.5)::float / $3::int) as at,
          case when i % 5 = 0 then (i / 5) % s.huge else s.huge + (i * 7919::bigint % (s.all_of - s.huge))::int end as n
        from size s, generate_series($1::int, $1::int + $2::int - 1) i),
      e as (insert into execution (id, partner_id, client_id, workflow_id, status, source, summary, template_version, credits_held, credits_charged, started_at, finished_at, due_at,
          error_code, error_message)
        select (substr(uuid_floor(r.at)::text, 1, 14) || '7' || substr(gen_random_uuid()::text, 16))::uuid, w.partner_id, w.client_id, w.id,
          case when r.i > $3::int - 100 then 'RUNNING' when r.i % 20 = 3 then 'FAILED' else 'SUCCEEDED' end,
          case when r.i % 10 = 4 then 'schedule' when r.i % 50 = 7 then 'rerun' else 'ingest' end, 'Texted +1 312 ··· 0121 after a missed call', 1, 1,
          case when r.i > $3::int - 100 or r.i % 20 = 3 then 0 else 1 end, r.at, case when r.i <= $3::int - 100 then r.at + interval '2 seconds' end, r.at + interval '1 day',
          case when r.i % 20 = 3 then (array['twilio_down', 'key_refused', 'timeout', 'bad_number'])[1 + r.i / 20 % 4] end, case when r.i % 20 = 3 then 'It did not work' end
        from run r join scale_workflow w on w.n = r.n returning id, partner_id, client_id, workflow_id, status, started_at, finished_at),
      p as (insert into execution_payload (id, partner_id, client_id, input, output)
        select id, partner_id, client_id, jsonb_build_object('callerNumber', '+13125550121', 'note', md5(id::text)), jsonb_build_object('summary', 'Texted the caller.')
        from e where started_at > now() - interval '90 days')
    insert into usage_entry (id, kind, partner_id, client_id, workflow_id, execution_id, credits, at)
      select id, 'run', partner_id, client_id, workflow_id, id, -1, finished_at from e where status = 'SUCCEEDED'`,
    [from, count, all],
  );
}

/** Adds the rows that accompany runs: audit entries, alerts, notifications, mail, events and deliveries. */
async function addTraces(query: Query, { runs }: Size): Promise<void> {
  const id = (at: string): string => `(substr(uuid_floor(${at})::text, 1, 14) || '7' || substr(gen_random_uuid()::text, 16))::uuid`;
  const spread = (days: number): string =>
    `with size as (select count(*) filter (where is_huge)::int as huge, count(*)::int as all_of from scale_workflow),
      one as (select i, now() - interval '${days} days' * (1 - (i + 0.5)::float / $1::int) as at, w.*
        from size s cross join generate_series(0, $1::int - 1) i join scale_workflow w on w.n = case when i % 5 = 0 then (i / 5) % s.huge else s.huge + (i * 7919::bigint % (s.all_of - s.huge))::int end)`;
  await query(
    `${spread(DAYS)}, owner as (select distinct on (partner_id) id as user_id, partner_id from app_user where role = 'PARTNER' order by partner_id, id)
      insert into audit_entry (id, partner_id, client_id, at, actor_type, actor_id, actor_email, action, target_type, target_id, target_label, result)
      select ${id('o.at')}, o.partner_id, o.client_id, o.at, case when o.i % 3 = 0 then 'system' else 'user' end, case when o.i % 3 = 0 then null else x.user_id end, 'owner@huge.test',
        (array['agent.updated', 'client.updated', 'credential.saved', 'session.signed_in'])[1 + o.i % 4], 'agent', o.id::text, o.name, case when o.i % 40 = 1 then 'refused' else 'ok' end from one o join owner x on x.partner_id = o.partner_id`,
    [Math.round(runs / 5)],
  );
  await query(
    `${spread(DAYS)} insert into alert (id, partner_id, client_id, rule, severity, status, subject_type, subject_id, subject_label, message, opened_at, resolved_at, cleared_at)
      select ${id('o.at')}, o.partner_id, o.client_id, case when o.i % 3 = 0 then 'agent_silent' else 'failure_streak' end, case when o.i % 3 = 0 then 'warning' else 'critical' end,
        'resolved', 'agent', o.id::text, o.name, 'It failed.', o.at, o.at + interval '1 hour', o.at + interval '1 hour' from one o`,
    [Math.round(runs / 50)],
  );
  await query(
    `${spread(60)}, reader as (select distinct on (partner_id) id as user_id, partner_id from app_user where role = 'PARTNER' order by partner_id, id)
      insert into notification (id, partner_id, user_id, type, tone, title, body, href, subject, dedupe_key, mail)
      select ${id('o.at')}, o.partner_id, r.user_id, 'alert_opened', 'bad', 'It failed', 'A run failed.', '/dashboard/runs', o.id::text, 'scale-' || o.i, 'off'
      from one o join reader r on r.partner_id = o.partner_id`,
    [Math.round(runs / 50)],
  );
  await query(
    `${spread(60)} insert into mail (id, partner_id, to_address, kind, subject, status, body_until, created_at, sent_at)
      select ${id('o.at')}, o.partner_id, 'owner@huge.test', 'digest', 'It failed', 'sent', o.at + interval '1 day', o.at, o.at from one o`,
    [Math.round(runs / 50)],
  );
  await query(`insert into webhook_endpoint (partner_id, url, secret_sealed, secret_key_id)
    select id, 'https://hooks.' || slug || '.test/receive', 'x', 'k' from partner where slug like 'scale-%'`);
  await query(
    `${spread(28)}, at_endpoint as (select id, partner_id from webhook_endpoint)
      insert into delivery (id, partner_id, endpoint_id, event_id, event_type, body, status, attempt_count, created_at, finished_at)
      select ${id('o.at')}, o.partner_id, e.id, ${id('o.at')}, 'account.suspended', '{}', 'delivered', 1, o.at, o.at from one o join at_endpoint e on e.partner_id = o.partner_id`,
    [Math.round(runs / 20)],
  );
}

/** Keys, requests, invoices and conversations of the accounts. */
async function addRecords(query: Query): Promise<void> {
  await query(`insert into credential (partner_id, client_id, provider, source_mode, sealed, last_check_ok, last_check_at)
    select id, null::uuid, 'twilio', 'byok', 'x'::bytea, true, now() from partner where slug like 'scale-%'
    union all select partner_id, id, 'openai', 'byok', 'x'::bytea, true, now() from client where substr(id::text, 36, 1) in ('1', '2', '3', '4')`);
  await query(`insert into agent_request (partner_id, client_id, kind, template_name, title, status, origin, created_at)
    select partner_id, id, 'template', 'lead-qualifier', 'A lead qualifier', case when substr(id::text, 36, 1) = '1' then 'submitted' else 'fulfilled' end, 'client', created_at
    from client where substr(id::text, 36, 1) in ('1', '2', '3', '4')`);
  await query(`insert into invoice (partner_id, status, number, currency, seller, buyer, issued_at, due_at, paid_at, mailed_at, created_at)
    select p.id, 'paid', '9' || lpad(m::text, 3, '0') || '-' || left(md5(p.id::text), 12), 'USD', party, party, now() - make_interval(months => m), now() - make_interval(months => m), now() - make_interval(months => m),
      now() - make_interval(months => m), now() - make_interval(months => m) from partner p, generate_series(1, 12) m, (select '{"name": "A party", "address": null, "country": null, "taxId": null, "email": null}'::jsonb as party) x where p.slug like 'scale-%'`);
  await withoutIndexes(query, ['conversation', 'conversation_message'], () => addConversations(query));
}

/** Ten conversations of each chatbot, with four messages each, which an index of words finds. */
async function addConversations(query: Query): Promise<void> {
  await query(`with bot as (insert into chatbot (partner_id, client_id, is_active, name, greeting, provider, model)
        select partner_id, id, true, 'Assistant', 'Hello.', 'openai', 'test' from client where substr(id::text, 36, 1) in ('1', '2', '3') returning id, partner_id, client_id),
      talk as (insert into conversation (partner_id, client_id, chatbot_id, visitor_label, last_message_text, last_message_author, started_at, last_message_at, updated_at)
        select partner_id, client_id, id, 'Visitor ' || left(md5(n || id::text), 4), 'Is parking free?', 'visitor', now() - make_interval(days => n * 3), now() - make_interval(days => n * 3),
          now() - make_interval(days => n * 3) from bot, generate_series(1, 10) n returning id, partner_id, client_id)
    insert into conversation_message (partner_id, client_id, conversation_id, author, content)
      select partner_id, client_id, id, (array['visitor', 'bot'])[1 + n % 2], 'Is parking free? ' || md5(n || id::text) from talk, generate_series(1, 4) n`);
}
