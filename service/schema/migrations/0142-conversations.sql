-- Conversations: rates and calls of language models, chatbots with their knowledge, conversations, and the turns that answer them.

-- What tokens on a platform key cost an agency, and what they cost the platform. A change is a new version; a call names the one it was charged by.
create table ai_rate (
  id uuid primary key default uuidv7(),
  provider text not null check (provider in ('openai', 'anthropic')),
  model text not null,
  version int not null check (version > 0),
  input_credits numeric(12, 4) not null check (input_credits >= 0),
  output_credits numeric(12, 4) not null check (output_credits >= 0),
  input_cost_minor numeric(12, 4) not null check (input_cost_minor >= 0),
  output_cost_minor numeric(12, 4) not null check (output_cost_minor >= 0),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  is_offered boolean not null default true,
  changed_by uuid references app_user on delete set null,
  created_at timestamptz(3) not null default now(),
  unique (provider, model, version)
);
create index ai_rate_author on ai_rate (changed_by);
comment on table ai_rate is 'per 1,000 tokens; the newest version of a model counts; the model "*" is for those without a row';
grant select on ai_rate to portal_tenant;
grant select, insert on ai_rate to portal_system;

-- One call of a language model. On a platform key its credits are reserved before the call and settled after it, once.
create table ai_call (
  id uuid not null,
  partner_id uuid not null,
  client_id uuid,
  user_id uuid,
  conversation_id uuid,
  turn_id uuid,
  purpose text not null check (purpose in ('proxy', 'chatbot', 'preview')),
  provider text not null,
  model text not null,
  source_mode text not null check (source_mode in ('platform', 'byok')),
  rate_id uuid references ai_rate,
  status text not null default 'reserved' check (status in ('reserved', 'settled', 'released')),
  credits_reserved int not null default 0 check (credits_reserved >= 0),
  input_tokens int,
  output_tokens int,
  credits_charged int,
  is_estimated boolean not null default false,
  cost_minor numeric(14, 4),
  credit_price_minor numeric(14, 4),
  currency text,
  error_code text,
  expires_at timestamptz(3) not null,
  settled_at timestamptz(3),
  primary key (id)
) partition by range (id);
comment on column ai_call.is_estimated is 'the provider reported no usage, because the call was cut off: counted from the texts';
create index ai_call_partner on ai_call (partner_id, id desc);
create index ai_call_open on ai_call (expires_at) where status = 'reserved';
create index ai_call_conversation on ai_call (conversation_id) where conversation_id is not null;
call fence('ai_call', 'client_id');
call partition_by_month('ai_call', 400);

alter table credential_use drop constraint credential_use_purpose_check,
  add constraint credential_use_purpose_check check (purpose in ('bind_connection', 'test', 'run_query', 'preflight', 'read_bookings', 'ai_call'));

-- One chatbot per client.
create table chatbot (
  id uuid primary key default gen_random_uuid(),
  partner_id uuid not null references partner,
  client_id uuid not null unique references client,
  is_active boolean not null default false,
  name text not null,
  greeting text not null,
  persona text not null default '',
  knowledge_text text not null default '' check (length(knowledge_text) <= 200000),
  provider text not null check (provider in ('openai', 'anthropic')),
  model text not null,
  handoff_email text not null default '',
  handoff_phrases text[] not null default '{}',
  handoff_when_unsure boolean not null default true,
  reminder_minutes int not null default 30 check (reminder_minutes between 5 and 1440),
  brand_color text,
  allowed_origins text[] not null default '{}',
  privacy_url text not null default '',
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);
comment on column chatbot.id is 'random, since it is public';
comment on column chatbot.brand_color is 'null: the color of the agency';
create index chatbot_partner on chatbot (partner_id, id);
call fence('chatbot', 'client_id', 'select, insert, update, delete');

-- Which agent a chatbot runs for which intent.
create table chatbot_route (
  chatbot_id uuid not null references chatbot on delete cascade,
  n int not null,
  partner_id uuid not null references partner,
  client_id uuid not null references client,
  intent text not null,
  workflow_id uuid not null references workflow on delete cascade,
  primary key (chatbot_id, n)
);
create index chatbot_route_partner on chatbot_route (partner_id, chatbot_id);
create index chatbot_route_client on chatbot_route (client_id);
create index chatbot_route_workflow on chatbot_route (workflow_id);
call fence('chatbot_route', 'client_id', 'select, insert, update, delete');

-- What a chatbot knows, cut into passages: the business profile, the text of its settings, uploaded files.
create table knowledge_document (
  id uuid primary key default uuidv7(),
  partner_id uuid not null references partner,
  client_id uuid not null references client,
  chatbot_id uuid not null references chatbot on delete cascade,
  kind text not null check (kind in ('profile', 'text', 'file')),
  title text not null,
  content_type text,
  size_bytes bigint not null default 0,
  file_id uuid references file,
  status text not null default 'pending' check (status in ('pending', 'ready', 'failed')),
  problem text,
  passages int not null default 0,
  source_hash bytea,
  uploaded_by uuid references app_user on delete set null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  check ((kind = 'file') = (file_id is not null))
);
comment on column knowledge_document.source_hash is 'of the text that the passages were cut from; equal text is not cut again';
create index knowledge_document_partner on knowledge_document (partner_id, chatbot_id, id);
create index knowledge_document_client on knowledge_document (client_id);
create index knowledge_document_chatbot on knowledge_document (chatbot_id);
create index knowledge_document_file on knowledge_document (file_id);
create index knowledge_document_author on knowledge_document (uploaded_by);
create index knowledge_document_pending on knowledge_document (updated_at) where status = 'pending';
create unique index knowledge_document_own on knowledge_document (chatbot_id, kind) where kind <> 'file';
call fence('knowledge_document', 'client_id', 'select, insert, update, delete');

create table knowledge_passage (
  id uuid primary key default uuidv7(),
  partner_id uuid not null references partner,
  client_id uuid not null references client,
  chatbot_id uuid not null references chatbot on delete cascade,
  document_id uuid not null references knowledge_document on delete cascade,
  n int not null,
  heading text not null default '',
  content text not null check (length(content) between 1 and 4000),
  search tsvector not null
);
create index knowledge_passage_partner on knowledge_passage (partner_id, chatbot_id);
create index knowledge_passage_client on knowledge_passage (client_id);
create unique index knowledge_passage_document on knowledge_passage (document_id, n);
create index knowledge_passage_chatbot on knowledge_passage (chatbot_id);
call fence('knowledge_passage', 'client_id', 'select, insert, delete');

create extension if not exists btree_gin;

-- A conversation of a website visitor. Its id is random: it is what the visitor proves with.
create table conversation (
  id uuid primary key default gen_random_uuid(),
  partner_id uuid not null references partner,
  client_id uuid not null references client,
  chatbot_id uuid not null references chatbot on delete cascade,
  visitor_label text not null,
  origin text not null default '',
  status text not null default 'open' check (status in ('open', 'handed_off', 'closed')),
  handoff_reason text check (handoff_reason in ('visitor', 'unsure', 'phrase', 'quota', 'failure', 'taken_over')),
  assigned_to uuid references app_user on delete set null,
  assigned_name text not null default '',
  was_handed_off boolean not null default false,
  was_answered boolean not null default false,
  started_at timestamptz(3) not null default now(),
  last_message_at timestamptz(3) not null default now(),
  last_message_text text not null default '',
  last_message_author text check (last_message_author in ('visitor', 'bot', 'human')),
  waiting_since timestamptz(3),
  reminded_at timestamptz(3),
  closed_at timestamptz(3),
  updated_at timestamptz(3) not null default now(),
  version bigint not null default 0,
  check ((status = 'handed_off') <= was_handed_off)
);
comment on column conversation.assigned_name is 'of the person, whom the visitor and the other side of the tenant see without reading its user';
comment on column conversation.was_answered is 'the chatbot has replied at least once; kept by a trigger, as are updated_at and version';
comment on column conversation.waiting_since is 'of the first visitor message no person has answered since the hand-over; null when none waits';
create index conversation_partner on conversation (partner_id, last_message_at desc, id desc);
create index conversation_client on conversation (client_id, last_message_at desc, id desc);
create index conversation_chatbot on conversation (chatbot_id, started_at);
create index conversation_assigned on conversation (assigned_to);
create index conversation_waiting on conversation (waiting_since) where waiting_since is not null;
create index conversation_age on conversation (last_message_at);
create index conversation_partner_changed on conversation (partner_id, updated_at);
create index conversation_client_changed on conversation (client_id, updated_at);
create index conversation_partner_started on conversation (partner_id, started_at);
create index conversation_client_started on conversation (client_id, started_at);
create index conversation_label on conversation (partner_id, lower(visitor_label) text_pattern_ops);
call fence('conversation', 'client_id', 'select, insert, update, delete');

create table conversation_message (
  id uuid primary key default uuidv7(),
  partner_id uuid not null references partner,
  client_id uuid not null references client,
  conversation_id uuid not null references conversation on delete cascade,
  author text not null check (author in ('visitor', 'bot', 'human')),
  user_id uuid references app_user on delete set null,
  author_name text not null default '',
  content text not null check (length(content) between 1 and 8000),
  client_message_id uuid,
  turn_id uuid,
  passages jsonb not null default '[]',
  at timestamptz(3) not null default now(),
  unique (conversation_id, client_message_id)
);
comment on column conversation_message.passages is 'what a reply stands on: [{documentId, title, heading, excerpt}]';
create index conversation_message_partner on conversation_message (partner_id, id);
create index conversation_message_client on conversation_message (client_id, id);
create index conversation_message_thread on conversation_message (conversation_id, id);
create index conversation_message_user on conversation_message (user_id);
create unique index conversation_message_turn on conversation_message (turn_id, author) where turn_id is not null;
create index conversation_message_words on conversation_message using gin (partner_id, to_tsvector('simple', content));
call fence('conversation_message', 'client_id', 'select, insert, delete');

-- The answer to one visitor message, step by step. A step that was begun is not begun again without looking at what it did.
create table conversation_turn (
  id uuid primary key default uuidv7(),
  partner_id uuid not null references partner,
  client_id uuid not null references client,
  conversation_id uuid not null references conversation on delete cascade,
  state text not null default 'received' check (state in ('received', 'deciding', 'running', 'composing', 'done', 'failed')),
  ai_calls int not null default 0,
  intent text,
  workflow_id uuid,
  inputs jsonb,
  execution_id uuid,
  outcome jsonb,
  error_code text,
  attempts int not null default 0,
  claimed_by uuid,
  due_at timestamptz(3) not null default now(),
  started_at timestamptz(3) not null default now(),
  first_token_ms int,
  finished_at timestamptz(3),
  check ((state in ('done', 'failed')) = (finished_at is not null))
);
comment on column conversation_turn.due_at is 'when another process may take it over; moved on by its holder';
create index conversation_turn_partner on conversation_turn (partner_id, id);
create index conversation_turn_client on conversation_turn (client_id, id);
create index conversation_turn_conversation on conversation_turn (conversation_id, id);
create index conversation_turn_execution on conversation_turn (execution_id) where execution_id is not null;
create index conversation_turn_due on conversation_turn (due_at) where finished_at is null;
create unique index conversation_turn_one_open on conversation_turn (conversation_id) where finished_at is null;
call fence('conversation_turn', 'client_id', 'select, insert, update, delete');

-- Up to which message a person has read a conversation.
create table conversation_read (
  conversation_id uuid not null references conversation on delete cascade,
  user_id uuid not null references app_user on delete cascade,
  partner_id uuid not null references partner,
  client_id uuid not null references client,
  read_at timestamptz(3) not null default now(),
  primary key (conversation_id, user_id)
);
create index conversation_read_partner on conversation_read (partner_id, user_id);
create index conversation_read_client on conversation_read (client_id);
create index conversation_read_user on conversation_read (user_id);
call fence('conversation_read', 'client_id', 'select, insert, update, delete');

create table canned_reply (
  id uuid primary key default uuidv7(),
  partner_id uuid not null references partner,
  client_id uuid references client,
  title text not null,
  content text not null,
  created_by uuid references app_user on delete set null,
  created_at timestamptz(3) not null default now()
);
comment on column canned_reply.client_id is 'null: for all clients of the agency';
create index canned_reply_partner on canned_reply (partner_id, client_id, title);
create index canned_reply_client on canned_reply (client_id);
create index canned_reply_author on canned_reply (created_by);
call fence('canned_reply', 'client_id', 'select, insert, update, delete');

alter table file drop constraint file_purpose_check,
  add constraint file_purpose_check check (purpose in ('export', 'media', 'invoice', 'knowledge'));
