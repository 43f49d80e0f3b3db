-- Queues an alert evaluation when the failure streak of an endpoint crosses the limit: settle_deliveries writes streaks of many deliveries in
-- one call, without a transaction of the service. Other changes are queued by the service (service/wiring/consequences.ts).
create or replace function enqueue_alert_evaluation() returns trigger language plpgsql as $$
begin
  perform enqueue_job('alerts.look', json_build_object('partnerId', new.partner_id), null, 'alerts.look:' || new.partner_id);
  return null;
end $$;

create or replace trigger endpoint_streak_crossed after update of failure_streak on webhook_endpoint for each row
  when ((new.failure_streak >= 20) <> (old.failure_streak >= 20)) execute function enqueue_alert_evaluation();
