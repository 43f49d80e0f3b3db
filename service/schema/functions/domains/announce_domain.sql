-- Announce that what is shown on the own domain of an agency changed, or whether it is served, so that every process reads the served hosts again. Definer: the
-- role that changes a brand or a plan may not see domains. An agency without a proved domain announces nothing.
create or replace function announce_domain() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  concerned boolean;
begin
  concerned := case tg_table_name
    when 'partner' then exists (select from partner_domain d where d.partner_id = new.id and d.status = 'verified')
    when 'subscription' then exists (
      select from partner_domain d where d.partner_id = (to_jsonb(new)->>'partner_id')::uuid and d.status = 'verified')
    else exists (select from partner_domain d join subscription s on s.partner_id = d.partner_id where s.plan_id = new.id and d.status = 'verified')
  end;
  if concerned then perform pg_notify('domains_changed', '{}'); end if;
  return null;
end $$;
revoke execute on function announce_domain from public;

create or replace trigger partner_announce_domain after update of name, logo_url, logo_media_id, brand_color, status on partner for each row
  when ((old.name, old.logo_url, old.logo_media_id, old.brand_color, old.status) is distinct from (new.name, new.logo_url, new.logo_media_id, new.brand_color, new.status))
  execute function announce_domain();
create or replace trigger subscription_announce_domain after update of plan_id, overrides on subscription for each row
  when ((old.plan_id, old.overrides) is distinct from (new.plan_id, new.overrides)) execute function announce_domain();
create or replace trigger plan_announce_domain after update of features on plan for each row
  when (old.features is distinct from new.features) execute function announce_domain();
