-- The number beside Requests in the navigation of every page.
create index agent_request_open on agent_request (partner_id)
  where status in ('suggested', 'submitted', 'approved', 'provisioning', 'provisioning_failed');
