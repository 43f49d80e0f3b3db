-- Sets updated_at; strictly increasing per row, because it serves as a version.
create or replace function touch_updated_at() returns trigger language plpgsql as $$
begin
  new.updated_at := greatest(clock_timestamp(), old.updated_at + interval '1 millisecond');
  return new;
end $$;
create or replace trigger partner_touch before update on partner for each row execute function touch_updated_at();
create or replace trigger client_touch before update on client for each row execute function touch_updated_at();
create or replace trigger app_user_touch before update on app_user for each row execute function touch_updated_at();
create or replace trigger subscription_touch before update on subscription for each row execute function touch_updated_at();
create or replace trigger automation_instance_touch before update on automation_instance for each row execute function touch_updated_at();
create or replace trigger agent_request_touch before update on agent_request for each row execute function touch_updated_at();
create or replace trigger workflow_schedule_touch before update of every, at, weekdays, timezone, enabled on workflow_schedule for each row execute function touch_updated_at();
create or replace trigger webhook_endpoint_touch before update of url, is_active, events, deleted_at on webhook_endpoint for each row execute function touch_updated_at();
create or replace trigger sso_connection_touch before update of configured_at, enforced on sso_connection for each row execute function touch_updated_at();
