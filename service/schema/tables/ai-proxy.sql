-- Language models: rates and calls.

-- Prices of 1,000 tokens on a platform key: for an agency, and their cost for the platform. The newest version of a model counts, and a call names the
-- version it was charged by; the model "*" stands for models without a row.
create table ai_rate (
  id                uuid primary key default uuidv7(),
  provider          text not null check (provider in ('openai', 'anthropic')),
  model             text not null,
  version           int not null check (version > 0),
  input_credits     numeric(12, 4) not null check (input_credits >= 0),
  output_credits    numeric(12, 4) not null check (output_credits >= 0),
  input_cost_minor  numeric(12, 4) not null check (input_cost_minor >= 0),
  output_cost_minor numeric(12, 4) not null check (output_cost_minor >= 0),
  currency          text not null check (currency ~ '^[A-Z]{3}$'),
  is_offered        boolean not null default true,
  changed_by        uuid references app_user on delete set null,
  created_at        timestamptz(3) not null default now(),
  unique (provider, model, version)
);
create index ai_rate_author on ai_rate (changed_by);
grant select on ai_rate to portal_tenant;
grant select, insert on ai_rate to portal_system;
-- The platform's cost of tokens is hidden from tenants, also from a statement that forgets to leave it out.
revoke select on ai_rate from portal_tenant;
-- Grants all columns except the platform's cost.
grant select (id, provider, model, version, input_credits, output_credits, is_offered, created_at) on ai_rate to portal_tenant;

-- A call of a language model. On a platform key its credits are reserved before the call and settled once after it.
create table ai_call (
  id                 uuid not null,
  partner_id         uuid not null,
  client_id          uuid,
  user_id            uuid,
  conversation_id    uuid,
  turn_id            uuid,
  purpose            text not null check (purpose in ('proxy', 'chatbot', 'preview')),
  provider           text not null,
  model              text not null,
  source_mode        text not null check (source_mode in ('platform', 'byok')),
  rate_id            uuid references ai_rate,
  status             text not null default 'reserved' check (status in ('reserved', 'settled', 'released')),
  credits_reserved   int not null default 0 check (credits_reserved >= 0),
  input_tokens       int,
  output_tokens      int,
  credits_charged    int,
  -- The provider reported no usage, because the call was cut off: the tokens were counted from the texts.
  is_estimated       boolean not null default false,
  cost_minor         numeric(14, 4),
  credit_price_minor numeric(14, 4),
  currency           text,
  error_code         text,
  expires_at         timestamptz(3) not null,
  settled_at         timestamptz(3),
  chatbot_id         uuid,
  visitor            uuid,
  budget_day         date,
  -- The amount the call holds of the budgets of the day: credits, or their equivalent with the agency's key.
  budget_held        int not null default 0,
  primary key (id)
) partition by range (id);
create index ai_call_partner on ai_call (partner_id, id desc);
create index ai_call_open on ai_call (expires_at) where status = 'reserved';
create index ai_call_conversation on ai_call (conversation_id) where conversation_id is not null;
create index ai_call_rate on ai_call (rate_id);
call fence('ai_call', 'client_id');
call partition_by_month('ai_call', keep_days => 400);

-- The first published rates, in credits and in hundredths of a dollar. Staff publish further versions.
insert into ai_rate (provider, model, version, input_credits, output_credits, input_cost_minor, output_cost_minor, currency) values
  ('openai', '*', 1, 1, 1, 0.2, 0.8, 'USD'),
  ('openai', 'gpt-4.1-mini', 1, 0.2, 0.8, 0.04, 0.16, 'USD'),
  ('openai', 'gpt-4.1', 1, 1, 4, 0.2, 0.8, 'USD'),
  ('openai', 'gpt-5-mini', 1, 0.2, 1, 0.025, 0.2, 'USD'),
  ('openai', 'gpt-5', 1, 0.7, 5, 0.125, 1, 'USD'),
  ('anthropic', '*', 1, 1, 1, 0.3, 1.5, 'USD'),
  ('anthropic', 'claude-haiku-4-5', 1, 0.5, 2.5, 0.1, 0.5, 'USD'),
  ('anthropic', 'claude-sonnet-4-5', 1, 1.5, 7.5, 0.3, 1.5, 'USD'),
  ('anthropic', 'claude-opus-4-5', 1, 2.5, 12.5, 0.5, 2.5, 'USD');
