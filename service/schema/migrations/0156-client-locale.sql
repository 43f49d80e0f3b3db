-- The language of what the product writes to a client business, and of its people until they choose their own.
alter table client add column locale text not null default 'en' check (locale in ('en', 'de', 'es'));
