-- Before the timeout job ends a run it asks the engine. What is still running there is given more time, once.

alter table execution add column extended boolean not null default false;
comment on column execution.extended is 'the engine was still running it at its deadline, which was moved once';
