-- What an export needs to be made by one process at a time, and read by those it was made for.
alter table account_export
  add audience text not null default 'agency' check (audience in ('agency', 'client')),
  add claimed_by uuid,
  add due_at timestamptz(3) not null default now(),
  add updated_at timestamptz(3) not null default now(),
  add check ((status = 'running') = (claimed_by is not null)),
  add check ((audience = 'client') <= (scope = 'client'));
comment on column account_export.audience is 'who asked: what a client gets leaves out what only its agency may read';
comment on column account_export.claimed_by is 'the attempt that makes it; only its holder may write the result';
comment on column account_export.due_at is 'when the next attempt may start';

-- A client never reads, nor waits for, what its agency exported about it.
create policy own_audience on account_export as restrictive for all to portal_tenant
  using ((select app_client()) is null or audience = 'client') with check ((select app_client()) is null or audience = 'client');
drop index account_export_one_open;
create unique index account_export_one_open on account_export (partner_id, client_id, audience) nulls not distinct where status in ('pending', 'running');
