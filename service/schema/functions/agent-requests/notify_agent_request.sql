-- Notifies event streams of each change of an agent request when it commits.
create or replace function notify_agent_request() returns trigger language plpgsql as $$
begin
  perform pg_notify('agent_requests', json_build_object('partnerId', new.partner_id, 'id', new.id)::text);
  return null;
end $$;

create or replace trigger agent_request_notify after insert or update on agent_request for each row execute function notify_agent_request();
