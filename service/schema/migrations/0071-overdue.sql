-- The timeout job asks the engine before it ends an execution; one that is still running is extended once.

alter table execution add column extended boolean not null default false;
comment on column execution.extended is 'still running in the engine at its deadline, which was moved once';
