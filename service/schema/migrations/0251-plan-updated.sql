-- A form that was opened before another change is refused (If-Match).
alter table plan add column updated_at timestamptz(3) not null default now();
