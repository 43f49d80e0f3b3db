-- What a visitor proves with is known to the visitor alone: people who read the inbox have the id of the conversation.
-- Conversations from before get a key that no browser has; their visitors begin new ones.
alter table conversation add column visitor_key uuid not null default gen_random_uuid();
create unique index conversation_visitor_key on conversation (visitor_key);
comment on column conversation.visitor_key is 'proves that a caller is the visitor; only public routes take and return it, as conversationId';
