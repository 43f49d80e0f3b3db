-- A mail that is held for a name is sent once staff have approved the name that it carries, and not another one that replaced it.
alter table mail add column held_names text[];
comment on column mail.held_names is 'names of the agency and client that staff had not approved when it was held for them';
