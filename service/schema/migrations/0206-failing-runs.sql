alter table chatbot add column is_run_failing boolean not null default false;
comment on column chatbot.is_run_failing is 'the last agent that a visitor had run failed, or could not run';
drop index chatbot_failing;
create index chatbot_failing on chatbot (partner_id) where failures_in_a_row > 0 or is_run_failing;
