-- Search over knowledge: passages by their words, and the words of a chatbot by their trigrams, so that a misspelt one is found. Both indexes begin
-- with the chatbot: a search reads nothing of others, however many there are.
create extension if not exists pg_trgm;
create extension if not exists btree_gin;

create index knowledge_passage_search on knowledge_passage using gin (chatbot_id, search) with (fastupdate = off);

create table knowledge_word (
  chatbot_id uuid not null references chatbot on delete cascade,
  word text not null,
  partner_id uuid not null references partner,
  client_id uuid not null references client,
  passages int not null,
  primary key (chatbot_id, word)
);
comment on table knowledge_word is 'the words of a chatbot''s passages, and how many passages have each';
create index knowledge_word_partner on knowledge_word (partner_id, chatbot_id);
create index knowledge_word_client on knowledge_word (client_id);
create index knowledge_word_likeness on knowledge_word using gin (chatbot_id, word gin_trgm_ops) with (fastupdate = off);
call fence('knowledge_word', 'client_id', 'select, insert, update, delete');
