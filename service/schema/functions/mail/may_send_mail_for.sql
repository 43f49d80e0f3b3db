-- Returns whether the caller may act for a partner: the system always, a tenant for its own. current_setting('role') shows the caller's
-- role inside a definer function too.
create or replace function may_send_mail_for(partner uuid) returns boolean language sql stable as $$
  select current_setting('role') = 'portal_system' or partner = (select app_partner())
$$;
