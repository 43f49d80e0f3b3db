-- A filter of a table that a user keeps under a name. The browser chooses the id, so that saving may be repeated.
create table saved_filter (
  partner_id uuid not null references partner,
  user_id    uuid not null references app_user on delete cascade,
  id         uuid not null,
  list       text not null check (list in ('clients', 'agents', 'runs', 'requests', 'deliveries', 'ledger', 'audit', 'partners', 'users', 'inbox',
    'alerts', 'invoices', 'mail', 'subscribers', 'imports')),
  name       text not null check (length(name) between 1 and 60),
  search     jsonb not null check (jsonb_typeof(search) = 'object' and octet_length(search::text) <= 8192),
  created_at timestamptz(3) not null default now(),
  primary key (user_id, id)
);
create unique index saved_filter_name on saved_filter (user_id, list, lower(name));
create index saved_filter_partner on saved_filter (partner_id, user_id, list);
call fence('saved_filter', null, 'select, insert, update, delete');
