-- Conversations of website visitors, and the turns that answer them.

-- A conversation of a website visitor with a chatbot and the people behind it.
create table conversation (
  id                  uuid primary key default gen_random_uuid(),
  partner_id          uuid not null references partner,
  client_id           uuid not null references client,
  chatbot_id          uuid not null references chatbot on delete cascade,
  visitor_label       text not null,
  origin              text not null default '',
  status              text not null default 'open' check (status in ('open', 'handed_off', 'closed')),
  handoff_reason      text check (handoff_reason in ('visitor', 'unsure', 'phrase', 'quota', 'budget', 'failure', 'taken_over')),
  assigned_to         uuid references app_user on delete set null,
  -- Name of the person, which the visitor and the other side of the tenant see without reading the user's row.
  assigned_name       text not null default '',
  was_handed_off      boolean not null default false,
  -- The chatbot has replied at least once; kept by a trigger, as are updated_at and version.
  was_answered        boolean not null default false,
  started_at          timestamptz(3) not null default now(),
  last_message_at     timestamptz(3) not null default now(),
  last_message_text   text not null default '',
  last_message_author text check (last_message_author in ('visitor', 'bot', 'human')),
  -- Time of the first message of the visitor that no person has answered since the hand-over; null when none waits.
  waiting_since       timestamptz(3),
  reminded_at         timestamptz(3),
  closed_at           timestamptz(3),
  updated_at          timestamptz(3) not null default now(),
  version             bigint not null default 0,
  -- Language of the visitor's newest message; null in conversations without one, for which the client's language counts.
  locale              text check (locale in ('en', 'de', 'es')),
  -- Proves that a caller is the visitor; people who read the inbox know only the id. Public routes take and return it as conversationId.
  visitor_key         uuid not null default gen_random_uuid(),
  -- E.164; the number that agents text for this visitor, taken from the first run that names one.
  visitor_number      text,
  check ((status = 'handed_off') <= was_handed_off)
);
create index conversation_partner on conversation (partner_id, last_message_at desc, id desc);
create index conversation_client on conversation (client_id, last_message_at desc, id desc);
create index conversation_chatbot on conversation (chatbot_id, started_at);
create index conversation_assigned on conversation (assigned_to);
create index conversation_waiting on conversation (waiting_since) where waiting_since is not null;
create index conversation_partner_changed on conversation (partner_id, updated_at);
create index conversation_client_changed on conversation (client_id, updated_at);
create index conversation_partner_started on conversation (partner_id, started_at);
create index conversation_client_started on conversation (client_id, started_at);
create index conversation_label on conversation (partner_id, lower(visitor_label) text_pattern_ops);
-- An export reads the conversations of an account in the order of their ids.
create index conversation_id_of_partner on conversation (partner_id, id);
create unique index conversation_visitor_key on conversation (visitor_key);
call fence('conversation', 'client_id', 'select, insert, update, delete');

-- A message of a conversation.
create table conversation_message (
  id                uuid primary key default uuidv7(),
  partner_id        uuid not null references partner,
  client_id         uuid not null references client,
  conversation_id   uuid not null references conversation on delete cascade,
  author            text not null check (author in ('visitor', 'bot', 'human')),
  user_id           uuid references app_user on delete set null,
  author_name       text not null default '',
  content           text not null check (length(content) between 1 and 8000),
  client_message_id uuid,
  turn_id           uuid,
  -- Sources of a reply: [{documentId, title, heading, excerpt}].
  passages          jsonb not null default '[]',
  at                timestamptz(3) not null default now(),
  unique (conversation_id, client_message_id)
);
create index conversation_message_partner on conversation_message (partner_id, id);
create index conversation_message_client on conversation_message (client_id, id);
create index conversation_message_thread on conversation_message (conversation_id, id);
create index conversation_message_user on conversation_message (user_id);
create unique index conversation_message_turn on conversation_message (turn_id, author) where turn_id is not null;
-- Words alone, as searches hold them: Postgres would keep an address, a date or a price as one word. Letters as `fold` of core/knowledge/words.ts writes
-- them, apart from their case, which to_tsvector leaves out.
create index conversation_message_words on conversation_message using gin
  (partner_id, to_tsvector('simple', translate(
    replace(replace(replace(replace(replace(replace(replace(replace(normalize(regexp_replace(normalize(content, nfkd), '[\u0300-\u036f\u0591-\u05c7\u064b-\u065f\u0670]', '', 'g'), nfc),
      'ß', 'ss'), 'ẞ', 'ss'), 'æ', 'ae'), 'Æ', 'ae'), 'œ', 'oe'), 'Œ', 'oe'), 'þ', 'th'), 'Þ', 'th'),
    '!"#$%&''()*+,-./:;<=>?@[\]^_`{|}~øØłŁđĐðÐı', repeat(' ', 32) || 'oollddddi')));
call fence('conversation_message', 'client_id', 'select, insert, delete');

-- The answer to messages of a visitor, step by step. A step that has begun is not begun again before its effect was checked.
create table conversation_turn (
  id              uuid primary key default uuidv7(),
  partner_id      uuid not null references partner,
  client_id       uuid not null references client,
  conversation_id uuid not null references conversation on delete cascade,
  state           text not null default 'received' check (state in ('received', 'deciding', 'running', 'composing', 'done', 'failed')),
  ai_calls        int not null default 0,
  intent          text,
  workflow_id     uuid,
  inputs          jsonb,
  execution_id    uuid,
  outcome         jsonb,
  error_code      text,
  attempts        int not null default 0,
  claimed_by      uuid,
  -- When another process may take it over; moved on by its holder.
  due_at          timestamptz(3) not null default now(),
  started_at      timestamptz(3) not null default now(),
  first_token_ms  int,
  finished_at     timestamptz(3),
  -- The newest message of the visitor that this turn answers.
  upto_message_id uuid,
  -- The visitor's network, as in chat_spending.
  visitor         uuid,
  check ((state in ('done', 'failed')) = (finished_at is not null))
);
create index conversation_turn_partner on conversation_turn (partner_id, id);
create index conversation_turn_client on conversation_turn (client_id, id);
create index conversation_turn_conversation on conversation_turn (conversation_id, id);
create index conversation_turn_execution on conversation_turn (execution_id) where execution_id is not null;
create index conversation_turn_due on conversation_turn (due_at) where finished_at is null;
create unique index conversation_turn_one_open on conversation_turn (conversation_id) where finished_at is null;
call fence('conversation_turn', 'client_id', 'select, insert, update, delete');

-- Up to when a person has read a conversation.
create table conversation_read (
  conversation_id uuid not null references conversation on delete cascade,
  user_id         uuid not null references app_user on delete cascade,
  partner_id      uuid not null references partner,
  client_id       uuid not null references client,
  read_at         timestamptz(3) not null default now(),
  primary key (conversation_id, user_id)
);
create index conversation_read_partner on conversation_read (partner_id, user_id);
create index conversation_read_client on conversation_read (client_id);
call fence('conversation_read', 'client_id', 'select, insert, update, delete');

-- A prepared reply that people insert into conversations.
create table canned_reply (
  id         uuid primary key default uuidv7(),
  partner_id uuid not null references partner,
  -- Null means all clients of the agency.
  client_id  uuid references client,
  title      text not null,
  content    text not null,
  created_by uuid references app_user on delete set null,
  created_at timestamptz(3) not null default now()
);
create index canned_reply_partner on canned_reply (partner_id, client_id, title);
create index canned_reply_client on canned_reply (client_id);
create index canned_reply_author on canned_reply (created_by);
call fence('canned_reply', 'client_id', 'select, insert, update, delete');
-- A client sees the prepared replies that its agency offers to all clients.
create policy agency_default on canned_reply for select to portal_tenant
  using (partner_id = (select app_partner()) and client_id is null);
