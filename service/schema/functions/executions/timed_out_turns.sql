-- Returns runs of conversations that ended with timeout within the last minutes, whose flow may have ended since: a direct call sends no late report.
create or replace function timed_out_turns(within_minutes int, batch int) returns table (id uuid, workflow_id uuid, provider_flow_id text, started_at timestamptz)
language sql stable security definer set search_path = public, pg_temp as $$
  select e.id, e.workflow_id, w.provider_flow_id, e.started_at
  from execution e join workflow w on w.id = e.workflow_id
  where e.source = 'chatbot' and e.status = 'FAILED' and e.error_code = 'timeout' and not e.late and e.finished_at > now() - make_interval(mins => within_minutes)
    and w.provider_flow_id is not null
  order by e.finished_at limit batch
$$;
revoke execute on function timed_out_turns from public;
grant execute on function timed_out_turns to portal_service;
