-- In which a visitor is addressed, kept because a turn may be continued by another process.
alter table conversation add column locale text check (locale in ('en', 'de', 'es'));
comment on column conversation.locale is 'of the visitor, as of the newest message; null: none has come since the column exists, and the language of the client counts';
