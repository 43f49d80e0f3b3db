-- A turn of what alerts are about has its agency looked at as soon as it commits; the sweep of each minute misses nothing. Not on workflow,
-- whose rows change with every run.
create or replace function look_at_alerts() returns trigger language plpgsql as $$
begin
  perform enqueue_job('alerts.look', json_build_object('partnerId', new.partner_id), null, 'alerts.look:' || new.partner_id);
  return null;
end $$;

create or replace trigger credential_turned after update of last_check_ok on credential for each row
  when (new.last_check_ok is distinct from old.last_check_ok) execute function look_at_alerts();

create or replace trigger instance_turned after update of status on automation_instance for each row
  when ((new.status = 'failed') <> (old.status = 'failed')) execute function look_at_alerts();

create or replace trigger endpoint_turned after update of failure_streak on webhook_endpoint for each row
  when ((new.failure_streak >= 20) <> (old.failure_streak >= 20)) execute function look_at_alerts();
