-- What conversations with visitors may cost an agency: settings, and what chatbots used of the period (core/quota/chat-budget.ts).
alter table partner_quota
  add column chat_share_percent int not null default 40 check (chat_share_percent between 0 and 100),
  add column chat_conversation_credits int not null default 60 check (chat_conversation_credits >= 0),
  add column chat_visitor_credits int not null default 120 check (chat_visitor_credits >= 0),
  add column chatbot_credits int not null default 300 check (chatbot_credits >= 0),
  add column chat_used int not null default 0,
  add column chat_in_flight int not null default 0 check (chat_in_flight >= 0),
  add column chat_share_reached int,
  add column chat_reserve_reached int,
  add column chat_budgets_changed_at timestamptz(3);
comment on column partner_quota.chat_share_reached is 'the share in credits when it had no room for an answer in this period';
comment on column partner_quota.chat_reserve_reached is 'the credits without the reserve for events when these had no room for an answer in this period';
grant update (chat_share_percent, chat_conversation_credits, chat_visitor_credits, chatbot_credits, chat_budgets_changed_at) on partner_quota to portal_tenant;
create index partner_quota_chat_reached on partner_quota (partner_id) where chat_share_reached is not null or chat_reserve_reached is not null;

-- Credits of one day (UTC), used and held, of each conversation, of the visitors behind one network and of each chatbot.
create table chat_spending (
  partner_id uuid not null references partner,
  scope text not null check (scope in ('conversation', 'visitor', 'chatbot')),
  subject uuid not null,
  day date not null,
  used int not null default 0,
  held int not null default 0 check (held >= 0),
  reached_limit int,
  primary key (partner_id, scope, subject, day)
);
comment on column chat_spending.subject is 'id of the conversation or the chatbot; of a visitor a keyed hash of the network, from which no address follows';
comment on column chat_spending.reached_limit is 'the budget of a chatbot when it had no room for an answer on this day';
create index chat_spending_day on chat_spending (day);
create index chat_spending_reached on chat_spending (day) where reached_limit is not null;
call fence('chat_spending');

alter table conversation_turn add column visitor uuid;
comment on column conversation_turn.visitor is 'of the network of the visitor, as in chat_spending';
alter table ai_call
  add column chatbot_id uuid,
  add column visitor uuid,
  add column budget_day date,
  add column budget_held int not null default 0;
comment on column ai_call.budget_held is 'what it holds of the budgets of the day: credits, or their equal with the agency''s key';

alter table conversation drop constraint conversation_handoff_reason_check;
alter table conversation add constraint conversation_handoff_reason_check check (handoff_reason in ('visitor', 'unsure', 'phrase', 'quota', 'budget', 'failure', 'taken_over'));
alter table alert drop constraint alert_rule_check;
alter table alert add constraint alert_rule_check check (rule in
  ('usage_threshold', 'failure_streak', 'agent_silent', 'webhook_failing', 'credential_invalid', 'sso_certificate', 'provisioning_failed', 'chatbot_failing', 'chatbot_budget'));
