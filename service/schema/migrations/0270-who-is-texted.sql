-- Whom the agents of a client text, and how many people in an hour that none of them has texted before.
alter table client
  add column text_countries text[] check (cardinality(text_countries) between 1 and 300 and array_position(text_countries, null) is null),
  add column first_contacts_per_hour int check (first_contacts_per_hour between 1 and 10000);
comment on column client.text_countries is 'ISO codes of the countries whose numbers are texted; null: the client''s own';
comment on column client.first_contacts_per_hour is 'people who are texted for the first time in an hour, at most; null: the default of the service';

alter table dispatch add column texts boolean not null default false, add column held_until timestamptz;
comment on column dispatch.texts is 'the contact is a phone number that the flow may text';
comment on column dispatch.held_until is 'when it is sent: the first contacts of the hour are used up';
create index dispatch_held on dispatch (partner_id, held_until) where held_until is not null;
grant select (held_until) on dispatch to portal_tenant;

-- People whose first text was handed to the engine. Rows older than an hour count for nothing and are deleted.
create table first_contact (
  partner_id uuid not null,
  client_id uuid,
  contact text not null,
  at timestamptz not null default now(),
  unique nulls not distinct (partner_id, client_id, contact)
);
create index first_contact_hour on first_contact (partner_id, client_id, at);
create index first_contact_age on first_contact (at);
call fence('first_contact', 'client_id', 'select');

alter table alert drop constraint alert_rule_check;
alter table alert add constraint alert_rule_check check (rule in
  ('usage_threshold', 'failure_streak', 'agent_silent', 'webhook_failing', 'credential_invalid', 'sso_certificate', 'provisioning_failed', 'chatbot_failing', 'chatbot_budget', 'first_contacts'));
