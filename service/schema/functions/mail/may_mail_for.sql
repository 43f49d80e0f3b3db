-- Whether the caller may act for this agency: the system may, a tenant for its own. SET ROLE stays visible inside a definer function.
create or replace function may_mail_for(partner uuid) returns boolean language sql stable as $$
  select current_setting('role') = 'portal_system' or partner = (select app_partner())
$$;
