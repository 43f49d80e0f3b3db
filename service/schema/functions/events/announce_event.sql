-- A process knows what it published itself and tells the dispatcher after its commit. What a function writes (usage thresholds) announces itself;
-- only those, since the server lets one announcing transaction commit at a time.
create or replace function announce_event() returns trigger language plpgsql as $$
begin
  perform pg_notify('events', '{}');
  return null;
end $$;

create or replace trigger event_announced after insert on event for each row when (current_user = 'portal_owner') execute function announce_event();
