-- Which member of the staff has taken an item of the work queue.
create table work_item_owner (
  kind        text not null,
  item_id     uuid not null,
  user_id     uuid not null references app_user on delete cascade,
  assigned_at timestamptz(3) not null default now(),
  primary key (kind, item_id)
);
create index work_item_owner_user on work_item_owner (user_id);
grant select, insert, update, delete on work_item_owner to portal_system;
