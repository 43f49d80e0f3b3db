-- Notifies dispatchers of events written by a definer function (usage thresholds). Other events wake the dispatcher after the commit, because
-- Postgres serializes the commits of transactions that notify.
create or replace function notify_event() returns trigger language plpgsql as $$
begin
  perform pg_notify('events', '{}');
  return null;
end $$;

create or replace trigger event_notify after insert on event for each row when (current_user = 'portal_owner') execute function notify_event();
