-- A change of an agent's text that a client proposes and its agency applies or declines.
create table text_suggestion (
  id                uuid primary key default uuidv7(),
  partner_id        uuid not null references partner,
  client_id         uuid not null references client,
  workflow_id       uuid not null references workflow on delete cascade,
  -- Key of the setting in the template.
  key               text not null,
  -- The agent's text when the change was suggested.
  before            text not null,
  text              text not null,
  note              text not null default '',
  status            text not null default 'pending' check (status in ('pending', 'applied', 'declined', 'withdrawn')),
  suggested_by      uuid references app_user on delete set null,
  suggested_by_name text not null,
  decided_by        uuid references app_user on delete set null,
  -- Copied: a client cannot read the users of its agency.
  decided_by_name   text,
  decision_note     text,
  decided_at        timestamptz(3),
  created_at        timestamptz(3) not null default now(),
  check ((status = 'pending') = (decided_at is null))
);
create index text_suggestion_partner on text_suggestion (partner_id, id desc);
create index text_suggestion_client on text_suggestion (client_id, id desc);
create index text_suggestion_suggester on text_suggestion (suggested_by);
create index text_suggestion_decider on text_suggestion (decided_by);
create unique index text_suggestion_one_pending on text_suggestion (workflow_id, key, client_id) where status = 'pending';
call fence('text_suggestion', 'client_id', 'select, insert, update');
