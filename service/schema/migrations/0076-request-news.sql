-- Whoever watches a board of agent requests hears of each change when it commits, whichever way it came about.

create function tell_agent_request() returns trigger language plpgsql as $$
begin
  perform pg_notify('agent_requests', json_build_object('partnerId', new.partner_id, 'id', new.id)::text);
  return null;
end $$;
create trigger agent_request_news after insert or update on agent_request for each row execute function tell_agent_request();
-- What a stream missed while it was away.
create index agent_request_changed on agent_request (partner_id, updated_at desc);
