-- Domain events. Each is written in the transaction of its cause, and its reactions (webhooks, mail, alerts) run afterwards.
create table event (
  id                uuid not null default uuidv7(),
  partner_id        uuid not null,
  client_id         uuid,
  type              text not null,
  created_at        timestamptz(3) not null default now(),
  data              jsonb not null,
  -- When its reactions are due; null once they have run.
  due_at            timestamptz(3),
  -- How often its reactions failed; it is then retried alone, with back-off.
  reaction_failures int not null default 0,
  -- Header `traceparent` of the span that caused it; null unless tracing is on.
  traceparent       text,
  primary key (id)
) partition by range (id);
create index event_partner on event (partner_id, id desc);
create index event_due on event (due_at) where due_at is not null;
-- Finds what names clients in rows of their agency, so that a purge of one can clear it.
create index event_threshold on event (partner_id) where type = 'usage.threshold_crossed';
call fence('event', 'client_id', 'select, insert');
call partition_by_month('event', keep_days => 90, keep_while => 'due_at is not null');
