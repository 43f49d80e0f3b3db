-- Lets a reconnecting event stream find the requests that changed meanwhile.
create index agent_request_changed on agent_request (partner_id, updated_at desc);
