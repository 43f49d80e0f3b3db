-- Whoever watches a board of agent requests hears of each change when it commits, whichever way it came about.

-- What a stream missed while it was away.
create index agent_request_changed on agent_request (partner_id, updated_at desc);
