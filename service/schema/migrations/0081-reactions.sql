-- What follows from an event, and the sender of deliveries. Claiming and recording are one statement each for many deliveries; like the
-- hot path of runs they cross tenants inside definer functions, because the login role may read no table (ADR 0008).

alter table event add column reaction_failures int not null default 0;
comment on column event.reaction_failures is 'how often its reactions failed; each time it waits longer, alone';

-- Retention never takes what is still to be done, however long the service stood still.
alter table partitioned_table add column keep_while text;
comment on column partitioned_table.keep_while is 'a condition on rows, by id: a month that holds one of them stays';
update partitioned_table set keep_while = 'due_at is not null' where name in ('event'::regclass, 'delivery'::regclass);
