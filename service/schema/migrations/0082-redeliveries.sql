-- Sending again. Both columns are null for almost every delivery, so that these indexes cost the ordinary way nothing.
create index delivery_redelivery on delivery (redelivery_of) where redelivery_of is not null;
create index delivery_recovery on delivery (recovery_id) where recovery_id is not null;
comment on column delivery.redelivery_of is 'the first delivery of the event to this endpoint, also when a later one was sent again';

-- The job that goes on with a recovery looks for those that lost theirs.
create index webhook_recovery_running on webhook_recovery (id) where status = 'running';
