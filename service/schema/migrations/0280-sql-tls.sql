-- How the connection to a SQL database is secured. Keys that were saved before certificates were verified are tested beside the work; until then, and
-- after a test that failed, they keep working with any certificate.
alter table credential
  add column tls text check (tls in ('off', 'verified', 'not_verified', 'untested', 'failed')),
  add column tls_due_at timestamptz(3),
  add column tls_problem text;
comment on column credential.tls is 'of a SQL database: off, verified, not_verified (chosen), untested or failed (saved before certificates were verified)';
comment on column credential.tls_due_at is 'when an untested key is tested next';
comment on column credential.tls_problem is 'why the certificate of a failed key is not verified, for its owner';
update credential set tls = 'untested', tls_due_at = now() where provider = 'postgres' and sealed is not null;
create index credential_tls_due on credential (tls_due_at) where tls = 'untested';
create index credential_tls_failed on credential (partner_id) where tls = 'failed';

alter table alert drop constraint alert_rule_check;
alter table alert add constraint alert_rule_check check (rule in ('usage_threshold', 'failure_streak', 'agent_silent', 'webhook_failing',
  'credential_invalid', 'credential_unverified', 'sso_certificate', 'provisioning_failed', 'chatbot_failing',
  'chatbot_budget', 'first_contacts'));
