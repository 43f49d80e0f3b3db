-- People without an account who asked for the newsletter. No one is mailed before confirming by a link.
create table newsletter_subscriber (
  id              uuid primary key default uuidv7(),
  -- Erased when the person unsubscribes.
  email           text check (email = lower(email)),
  -- SHA-256 of the address: shows for a known address that its owner had consented, and until when.
  email_hash      bytea not null,
  source          text not null check (source ~ '^[a-z0-9-]{1,40}$'),
  -- Version of the sentence that the person agreed to (contract/newsletter-consent.ts).
  text_version    int not null check (text_version > 0),
  requested_at    timestamptz(3) not null,
  confirmed_at    timestamptz(3),
  unsubscribed_at timestamptz(3),
  check ((email is null) = (unsubscribed_at is not null))
);
create unique index newsletter_subscriber_address on newsletter_subscriber (email) where email is not null;
create index newsletter_subscriber_hash on newsletter_subscriber (email_hash);
create index newsletter_subscriber_pending on newsletter_subscriber (requested_at) where confirmed_at is null and unsubscribed_at is null;
create index newsletter_subscriber_left on newsletter_subscriber (unsubscribed_at) where unsubscribed_at is not null;
grant select, insert, update, delete on newsletter_subscriber to portal_system;
