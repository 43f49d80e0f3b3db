-- A client sees the prepared replies that its agency offers to all clients.
create policy agency_default on canned_reply for select to portal_tenant
  using (partner_id = (select app_partner()) and client_id is null);
