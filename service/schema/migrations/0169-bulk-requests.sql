-- The first answer of a call that requests agents for many clients: one result per client, also for those that got no request.
alter table agent_request_key add column results jsonb;
