-- Uploaded images and documents.

-- Images and documents that people upload. `key` is the unguessable part of the address.
create table media (
  id           uuid primary key default uuidv7(),
  partner_id   uuid not null references partner,
  client_id    uuid references client,
  purpose      text not null check (purpose in ('general', 'logo', 'avatar')),
  key          text not null unique check (length(key) >= 32),
  filename     text not null,
  alt_text     text not null default '',
  content_type text not null,
  -- Bytes of the file and its variants together, which is what counts for the quota.
  size_bytes   bigint not null,
  width        int,
  height       int,
  file_id      uuid not null references file,
  uploaded_by  uuid references app_user on delete set null,
  created_at   timestamptz(3) not null default now()
);
create index media_partner on media (partner_id, id desc);
create index media_client on media (client_id);
create index media_file on media (file_id);
create index media_uploader on media (uploaded_by);
call fence('media', 'client_id', 'select, insert, update, delete');

-- An image of `media` at another size.
create table media_variant (
  media_id     uuid not null references media on delete cascade,
  name         text not null,
  partner_id   uuid not null references partner,
  client_id    uuid references client,
  content_type text not null,
  width        int not null,
  height       int not null,
  file_id      uuid not null references file,
  primary key (media_id, name)
);
create index media_variant_partner on media_variant (partner_id, media_id);
create index media_variant_client on media_variant (client_id);
create index media_variant_file on media_variant (file_id);
call fence('media_variant', 'client_id', 'select, insert, delete');

-- References from tables that were created before.
alter table partner add foreign key (logo_media_id) references media on delete set null;
alter table app_user add foreign key (avatar_media_id) references media on delete set null;
