-- Reactions to events.
alter table event add column reaction_failures int not null default 0;
comment on column event.reaction_failures is 'times its reactions failed; it is then retried alone, with back-off';

-- Retention keeps partitions with unfinished work, even after long downtime.
alter table partitioned_table add column keep_while text;
comment on column partitioned_table.keep_while is 'SQL condition; a partition with a matching row is not dropped';
update partitioned_table set keep_while = 'due_at is not null' where name in ('event'::regclass, 'delivery'::regclass);
