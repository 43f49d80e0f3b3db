-- Returns flows in the engine with executions that it took over and that have not ended for some seconds, and when the first of them started: by turns between partners, at
-- random within one, so that no flow is left out for long. With more under way it considers the 20,000 with the latest ask_at.
create or replace function unreported_flows(older_seconds int, batch int) returns table (provider_flow_id text, partner_id uuid, since timestamptz)
language sql volatile security definer set search_path = public, pg_temp as $$
  with running as (
    select u.workflow_id, u.handed_at from under_way u order by u.ask_at desc limit 20000
  ), flows as (
    select w.provider_flow_id, w.partner_id, min(r.handed_at) as since
    from running r join workflow w on w.id = r.workflow_id
    where r.handed_at < now() - make_interval(secs => older_seconds) and w.provider_flow_id is not null
    group by 1, 2
  )
  select f.provider_flow_id, f.partner_id, f.since
  from (select f.*, row_number() over (partition by f.partner_id order by random()) as turn from flows f) f order by f.turn, random() limit batch
$$;
revoke execute on function unreported_flows from public;
grant execute on function unreported_flows to portal_service;

-- Returns the workflow of an execution that has not ended, if it runs in this flow.
create or replace function unreported_in_flow(execution_id uuid, flow_id text) returns table (workflow_id uuid)
language sql stable security definer set search_path = public, pg_temp as $$
  select e.workflow_id from execution e join workflow w on w.id = e.workflow_id
  where e.id = execution_id and e.status = 'RUNNING' and w.provider_flow_id = flow_id
$$;
revoke execute on function unreported_in_flow from public;
grant execute on function unreported_in_flow to portal_service;
