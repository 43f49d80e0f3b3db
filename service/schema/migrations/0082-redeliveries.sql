-- Redelivery. Both columns are null for almost every delivery, so that these partial indexes stay small.
create index delivery_redelivery on delivery (redelivery_of) where redelivery_of is not null;
create index delivery_recovery on delivery (recovery_id) where recovery_id is not null;
comment on column delivery.redelivery_of is 'the first delivery of the event to this endpoint, also when a redelivery was redelivered';

-- Read by the sweep that resumes recoveries without a job.
create index webhook_recovery_running on webhook_recovery (id) where status = 'running';
