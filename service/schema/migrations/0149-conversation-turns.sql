-- A turn answers all messages of the visitor up to one; messages that arrive meanwhile are answered together by the next turn.
alter table conversation_turn add column upto_message_id uuid;
comment on column conversation_turn.upto_message_id is 'the newest message of the visitor that this turn answers';

alter table chatbot add column failures_in_a_row int not null default 0;
comment on column chatbot.failures_in_a_row is 'turns without an answer since the last one with an answer';
create index chatbot_failing on chatbot (partner_id) where failures_in_a_row > 0;

alter table alert drop constraint alert_rule_check;
alter table alert add constraint alert_rule_check check (rule in
  ('usage_threshold', 'failure_streak', 'agent_silent', 'webhook_failing', 'credential_invalid', 'sso_certificate', 'provisioning_failed', 'chatbot_failing'));
