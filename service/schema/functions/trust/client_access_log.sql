-- Returns who opened or changed the data of the client of the session, newest first: entries of the audit log, what was opened, and uses of keys for it by
-- day. A list of runs of all clients counts when a run of the client lies between the oldest and the newest that it
-- showed, one of conversations when the client had one by that day. An export of the whole agency, or the removal of its sample data, counts when the client existed. Agents that were switched together count as paused or resumed. Nothing in it depends on other clients. Definer: a client may read neither the log nor its agency's users. It takes the tenant from the session, and no address, browser or e-mail leaves it.
create or replace function client_access_log(before_id uuid, most int)
returns table (id uuid, at timestamptz, kind text, side text, name text, subject text, uses int, agent text)
language sql stable security definer set search_path = public, pg_temp as $$
  with me as (
    select c.id, c.partner_id, c.created_at, known_zone(c.timezone) as zone, uuid_floor(now() - interval '400 days') as oldest
    from client c where c.id = (select app_client()) and c.partner_id = (select app_partner())
  ), entries as (
    (select e.* from me join audit_entry e on e.partner_id = me.partner_id and e.client_id = me.id
    where e.id >= me.oldest and (before_id is null or e.id < before_id) and e.result = 'ok' and e.action in (
      'view_as.started', 'account_export.requested', 'account_export.downloaded', 'client.changed', 'agent.created', 'agent.changed',
      'agent.deleted', 'agent.paused', 'agent.resumed', 'agent.switched', 'workflow.triggered', 'workflow.schedule_changed', 'workflow.schedule_removed',
      'workflow.ingest_url_read', 'credential.saved', 'credential.deleted', 'credential.tested', 'chatbot.changed', 'chatbot.knowledge_added',
      'chatbot.knowledge_removed', 'conversation.taken_over', 'conversation.replied', 'conversation.given_back', 'conversation.closed',
      'agent_request.fulfilled', 'invitation.created', 'client_user.removed',
      'text_suggestion.created', 'text_suggestion.applied', 'text_suggestion.declined', 'stop_list.added', 'stop_list.removed')
    order by e.id desc limit most)
    union all (select e.* from me join audit_entry e on e.partner_id = me.partner_id and e.client_id is null and e.at >= me.created_at
    where e.id >= me.oldest and (before_id is null or e.id < before_id) and e.result = 'ok' and e.action in ('account_export.requested', 'account_export.downloaded', 'sample_data.removed')
    order by e.id desc limit most)
  ), changes as (
    select e.id, e.at,
      case when e.action <> 'agent.switched' then e.action when (e.changes->'isActive'->>1)::boolean then 'agent.resumed' else 'agent.paused' end as kind,
      case when e.actor_type = 'staff' then 'platform' when e.actor_type = 'system' then 'service' when u.id is null then 'former'
        when u.role = 'ADMIN' then 'platform' when u.client_id is null then 'agency' else 'you' end as side,
      case when e.actor_type = 'user' and u.role <> 'ADMIN' then nullif(u.full_name, '') end as name,
      case when e.target_type in ('agent', 'agent_request', 'credential', 'conversation', 'knowledge', 'workflow', 'invitation', 'user', 'text_suggestion') then e.target_label end as subject,
      null::int as uses, null::text as agent
    from entries e left join app_user u on u.id = e.actor_id
    order by e.id desc limit most
  ), looks as (
    select l.id, l.at, 'look.' || l.kind, case when l.is_staff then 'platform' when l.user_id is null then 'former' else 'agency' end, l.user_name, null, null::int, null
    from me join client_look l on l.client_id = me.id
    where before_id is null or l.id < before_id
    order by l.id desc limit most
  ), lists as (
    select l.id, l.at, case l.kind when 'runs' then 'look.all_runs' when 'conversations' then 'look.all_conversations' else 'look.exports' end,
      case when l.is_staff then 'platform' when l.user_id is null then 'former' else 'agency' end, l.user_name, null, null::int, null
    from me join agency_look l on l.partner_id = me.partner_id
    where l.id >= me.oldest and (before_id is null or l.id < before_id) and case
      when l.kind in ('runs', 'run_exports') then exists (
        select from execution e where e.partner_id = me.partner_id and e.client_id = me.id and e.id between l.first_id and l.last_id)
      else exists (select from conversation v where v.client_id = me.id and v.started_at < l.day + 1) end
    order by l.id desc limit most
  ), keys as (
    select (array_agg(k.id order by k.id desc))[1] as id, max(k.at) as at, k.kind, 'service', null, k.provider, count(*)::int, min(k.agent)
    from (
      -- The whole day of the last entry is counted again, so that a day is one entry whichever page it is on.
      select k.id, k.at, k.provider, 'key_used' as kind, null::uuid as workflow_id, null::text as agent, (k.at at time zone me.zone)::date as day
      from me join credential_use k on k.client_id = me.id and k.partner_id = me.partner_id
      where k.id >= me.oldest and k.purpose <> 'test'
        and (before_id is null or k.id < uuid_floor(((uuid_extract_timestamp(before_id) at time zone me.zone)::date + 1)::timestamp at time zone me.zone))
      union all
      select k.id, k.at, k.provider, 'agency_key_used', k.workflow_id, w.name, (k.at at time zone me.zone)::date
      from me join credential_use k on k.served_client_id = me.id and k.partner_id = me.partner_id
        left join workflow w on w.id = k.workflow_id and w.client_id = me.id
      where k.id >= me.oldest and k.purpose <> 'test'
        and (before_id is null or k.id < uuid_floor(((uuid_extract_timestamp(before_id) at time zone me.zone)::date + 1)::timestamp at time zone me.zone))
    ) k group by k.kind, k.provider, k.workflow_id, k.day
  )
  select * from (select * from changes union all select * from looks union all select * from lists union all select * from keys where before_id is null or id < before_id) x
  order by id desc limit least(most, 1001)
$$;
revoke execute on function client_access_log from public;
grant execute on function client_access_log to portal_tenant;
