-- Chatbots and what they know.

-- The chatbot of a client.
create table chatbot (
  -- Random, since it is public.
  id                  uuid primary key default gen_random_uuid(),
  partner_id          uuid not null references partner,
  client_id           uuid not null unique references client,
  is_active           boolean not null default false,
  name                text not null,
  greeting            text not null,
  persona             text not null default '',
  knowledge_text      text not null default '' check (length(knowledge_text) <= 200000),
  provider            text not null check (provider in ('openai', 'anthropic')),
  model               text not null,
  handoff_email       text not null default '',
  handoff_phrases     text[] not null default '{}',
  handoff_when_unsure boolean not null default true,
  reminder_minutes    int not null default 30 check (reminder_minutes between 5 and 1440),
  -- Null means the color of the agency.
  brand_color         text,
  allowed_origins     text[] not null default '{}',
  privacy_url         text not null default '',
  created_at          timestamptz(3) not null default now(),
  updated_at          timestamptz(3) not null default now(),
  -- Turns without an answer since the last one with an answer.
  failures_in_a_row   int not null default 0,
  -- The last agent that a visitor had run failed or could not run.
  is_run_failing      boolean not null default false
);
create index chatbot_partner on chatbot (partner_id, id);
create index chatbot_failing on chatbot (partner_id) where failures_in_a_row > 0 or is_run_failing;
call fence('chatbot', 'client_id', 'select, insert, update, delete');

-- Which agent a chatbot runs for an intent.
create table chatbot_route (
  chatbot_id  uuid not null references chatbot on delete cascade,
  n           int not null,
  partner_id  uuid not null references partner,
  client_id   uuid not null references client,
  intent      text not null,
  workflow_id uuid not null references workflow on delete cascade,
  primary key (chatbot_id, n)
);
create index chatbot_route_partner on chatbot_route (partner_id, chatbot_id);
create index chatbot_route_client on chatbot_route (client_id);
create index chatbot_route_workflow on chatbot_route (workflow_id);
call fence('chatbot_route', 'client_id', 'select, insert, update, delete');

-- A text that a chatbot knows: the business profile, the text of its settings, or an uploaded file.
create table knowledge_document (
  id           uuid primary key default uuidv7(),
  partner_id   uuid not null references partner,
  client_id    uuid not null references client,
  chatbot_id   uuid not null references chatbot on delete cascade,
  kind         text not null check (kind in ('profile', 'text', 'file')),
  title        text not null,
  content_type text,
  size_bytes   bigint not null default 0,
  file_id      uuid references file,
  status       text not null default 'pending' check (status in ('pending', 'ready', 'failed')),
  problem      text,
  passages     int not null default 0,
  -- Hash of the text that the passages were cut from; equal text is not cut again.
  source_hash  bytea,
  uploaded_by  uuid references app_user on delete set null,
  created_at   timestamptz(3) not null default now(),
  updated_at   timestamptz(3) not null default now(),
  -- Readings that began since it was last changed.
  attempts     int not null default 0,
  check ((kind = 'file') = (file_id is not null))
);
create index knowledge_document_partner on knowledge_document (partner_id, chatbot_id, id);
create index knowledge_document_client on knowledge_document (client_id);
create index knowledge_document_chatbot on knowledge_document (chatbot_id);
create index knowledge_document_file on knowledge_document (file_id);
create index knowledge_document_author on knowledge_document (uploaded_by);
create index knowledge_document_pending on knowledge_document (updated_at) where status = 'pending';
create unique index knowledge_document_own on knowledge_document (chatbot_id, kind) where kind <> 'file';
call fence('knowledge_document', 'client_id', 'select, insert, update, delete');

-- A passage of a document, which the search finds.
create table knowledge_passage (
  id          uuid primary key default uuidv7(),
  partner_id  uuid not null references partner,
  client_id   uuid not null references client,
  chatbot_id  uuid not null references chatbot on delete cascade,
  document_id uuid not null references knowledge_document on delete cascade,
  n           int not null,
  heading     text not null default '',
  content     text not null check (length(content) between 1 and 4000),
  search      tsvector not null
);
create index knowledge_passage_partner on knowledge_passage (partner_id, chatbot_id);
create index knowledge_passage_client on knowledge_passage (client_id);
create unique index knowledge_passage_document on knowledge_passage (document_id, n);
create index knowledge_passage_chatbot on knowledge_passage (chatbot_id);
-- Begins with the chatbot, so that a search reads nothing of others.
create index knowledge_passage_search on knowledge_passage using gin (chatbot_id, search) with (fastupdate = off);
call fence('knowledge_passage', 'client_id', 'select, insert, delete');

-- The words of a chatbot's passages, and how many passages have each. Misspelt words are found by their trigrams.
create table knowledge_word (
  chatbot_id uuid not null references chatbot on delete cascade,
  word       text not null,
  partner_id uuid not null references partner,
  client_id  uuid not null references client,
  passages   int not null,
  primary key (chatbot_id, word)
);
create index knowledge_word_partner on knowledge_word (partner_id, chatbot_id);
create index knowledge_word_client on knowledge_word (client_id);
create index knowledge_word_likeness on knowledge_word using gin (chatbot_id, word gin_trgm_ops) with (fastupdate = off);
call fence('knowledge_word', 'client_id', 'select, insert, update, delete');
