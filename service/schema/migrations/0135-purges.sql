-- What a purge needs to be resumed: who works on it, when it is due, and after which transaction no older writer is left.

alter table purge
  add claimed_by uuid,
  add claimed_until timestamptz(3),
  add due_at timestamptz(3) default now(),
  add barrier xid8,
  add check ((claimed_by is null) = (claimed_until is null));
comment on column purge.claimed_by is 'the worker whose writes count; each of them asks for it, so that one that lost its claim changes nothing more';
comment on column purge.due_at is 'when it continues; null once it has ended';
comment on column purge.barrier is 'rows are searched for once every transaction up to this one has ended: a later one finds the account deleted';
create index purge_due on purge (due_at) where due_at is not null;

-- Counters are keyed by addresses and ids of people; a purge removes theirs.
grant select, delete on rate_limit to portal_system;

-- Rows of which some stay are walked one by one: the order of these indexes now names each row once.
drop index file_chunk_partner;
create index file_chunk_partner on file_chunk (partner_id, file_id, n);
drop index purge_step_partner;
create index purge_step_partner on purge_step (partner_id, deletion_request_id, position);
drop index notification_digest_partner;
create index notification_digest_partner on notification_digest (partner_id, user_id, day);
drop index purge_partner;
create index purge_partner on purge (partner_id, deletion_request_id);
drop index provisioning_step_partner;
create index provisioning_step_partner on provisioning_step (partner_id, attempt_id, "order");
drop index rerun_item_partner;
create index rerun_item_partner on rerun_item (partner_id, execution_id);
