-- An application for an account (signup, trial), or an agency's request for another plan.
create table plan_request (
  id                uuid primary key default uuidv7(),
  -- Null for an application: the partner does not exist yet.
  partner_id        uuid references partner,
  kind              text not null check (kind in ('signup', 'trial', 'change', 'custom')),
  status            text not null default 'pending' check (status in ('pending', 'approved', 'rejected', 'cancelled')),
  applicant_email   text not null check (applicant_email = lower(applicant_email)),
  applicant_name    text not null,
  company_name      text not null,
  website           text,
  country           text,
  plan_id           uuid references plan,
  desired           jsonb not null default '{}',
  requested_by      uuid references app_user on delete set null,
  decided_by        uuid references app_user on delete set null,
  decision_note     text,
  result_partner_id uuid references partner,
  created_at        timestamptz(3) not null default now(),
  decided_at        timestamptz(3),
  check ((kind in ('signup', 'trial')) = (partner_id is null)),
  check ((status in ('approved', 'rejected')) <= (decided_at is not null))
);
create index plan_request_partner on plan_request (partner_id, id desc);
create index plan_request_pending on plan_request (id) where status = 'pending';
create index plan_request_plan on plan_request (plan_id);
create index plan_request_requester on plan_request (requested_by);
create index plan_request_decider on plan_request (decided_by);
create index plan_request_result on plan_request (result_partner_id);
create unique index plan_request_one_application on plan_request (applicant_email) where status = 'pending' and partner_id is null;
create unique index plan_request_one_of_agency on plan_request (partner_id) where status = 'pending' and partner_id is not null;
call fence('plan_request', null, 'select, insert, update');
