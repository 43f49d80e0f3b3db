/**
 * The effect of a purge on each table that has a `partner_id`, for an agency and for one of its clients. A test compares this list with the
 * database's catalog and with the table in docs/behaviour/purge.md. In conditions `t` is the table, $1 the agency and $2 the client.
 */
/** Steps of a purge that delete rows of these tables. */
export type DeletingStep = 'destroy_key' | 'delete_rows' | 'delete_files' | 'end_sessions';

export type Treatment =
  | {
      how: 'delete';
      /** The step that deletes; `delete_rows` when left out. */
      step?: DeletingStep;
      /** Which rows go; all of the account when left out. */
      only?: string;
      /** A partial index that finds the rows, with its condition. */
      index?: { name: string; where: string };
      /** Pairs of table and column: rows that go in the same statement, because they are checked together. */
      dependents?: readonly string[];
      /** Why the other rows stay. */
      keeps?: string;
      /** Most rows of one batch, where rows are large. */
      rows?: number;
    }
  | { how: 'keep'; because: string }
  | {
      how: 'clear';
      /** Columns that keep their values; all others that may hold a text are emptied. */
      stay: readonly string[];
      because: string;
    };

export type TenantTable = {
  agency: Treatment;
  client: Treatment;
  /** Tables that must still have their rows, because a condition above reads them. */
  before?: readonly string[];
};

const gone: Treatment = { how: 'delete' };
const keep = (because: string): Treatment => ({ how: 'keep', because });
const only = (condition: string): Treatment => ({ how: 'delete', only: condition });

/** Rows of the account: all, or those with the client's id. */
const all: TenantTable = { agency: gone, client: gone };
/** Concerns the agency as a whole, no client. */
const agencyOnly = (because: string): TenantTable => ({ agency: gone, client: keep(because) });

const OF_AGENCY = 'is about the agency, not about one client';
const NUMBERS = 'numbers of the agency’s own usage, without a name';
const CLIENT_WORKFLOW = 't.workflow_id in (select w.id from workflow w where w.client_id = $2)';
const CLIENT_USER = 't.user_id in (select u.id from app_user u where u.client_id = $2)';
/** Mail to an address that was invited to the client, unless it is about another client or the agency writes to its person for another reason. */
const CLIENT_INVITED = `t.about_client_id is null and t.to_address in (select i.email from invitation i where i.client_id = $2
  and not exists (select from app_user u where u.partner_id = $1 and u.email = i.email and u.client_id is distinct from $2)
  and not exists (select from invitation o where o.partner_id = $1 and o.email = i.email and o.status = 'pending' and o.client_id is distinct from $2)
  and not exists (select from billing_profile b where b.partner_id = $1 and b.billing_email = i.email))`;
/** A digest may name any client. What it says about others stays in the bell. */
const UNSENT_DIGEST = `(t.kind = 'digest' and t.body_sealed is not null)`;
const CLIENT_EVENT = 'exists (select from event e where e.id = t.event_id and e.client_id = $2)';
const CLIENT_DELIVERY = 'exists (select from delivery d join event e on e.id = d.event_id where d.id = t.delivery_id and e.client_id = $2)';
const ofClientWorkflow: TenantTable = { agency: gone, client: only(CLIENT_WORKFLOW), before: ['workflow'] };
const ofPerson: TenantTable = { agency: { how: 'delete', step: 'end_sessions' }, client: { how: 'delete', step: 'end_sessions' } };
const THIS_REQUEST =
  "t.id not in (select p.deletion_request_id from purge p where p.partner_id = $1 and p.client_id is not distinct from $2 and p.status <> 'completed')";

export const TENANT_TABLES: Readonly<Record<string, TenantTable>> = {
  account_export: all,
  agent_removal: all,
  agent_request: all,
  ai_call: { agency: gone, client: only('t.client_id = $2') },
  alert: all,
  agency_look: agencyOnly(OF_AGENCY),
  agent_span: { agency: gone, client: keep(NUMBERS) },
  alert_recipient: agencyOnly(OF_AGENCY),
  alert_rules: agencyOnly(OF_AGENCY),
  app_user: ofPerson,
  audit_entry: { agency: gone, client: only('t.client_id = $2 or t.target_id = $2::text') },
  automation_instance: agencyOnly(OF_AGENCY),
  billing_adjustment: agencyOnly(OF_AGENCY),
  billing_order: {
    agency: {
      how: 'delete',
      only: 'not exists (select from invoice_line l where l.order_id = t.id)',
      keeps: 'orders that an issued invoice bills are its evidence',
    },
    client: keep(OF_AGENCY),
  },
  billing_profile: agencyOnly(OF_AGENCY),
  canned_reply: all,
  chat_spending: agencyOnly('sums of the last days, without a name or an address'),
  chatbot: all,
  chatbot_route: all,
  client_look: all,
  client: {
    // Behind its people.
    agency: { how: 'delete', step: 'end_sessions' },
    client: {
      how: 'clear',
      stay: ['id', 'partner_id', 'status', 'timezone', 'business_profile', 'name', 'suspension_cause'],
      because: 'the tombstone: usage and requests of the agency refer to it',
    },
  },
  client_import: agencyOnly(OF_AGENCY),
  client_import_row: {
    agency: gone,
    client: {
      how: 'delete',
      only: 't.client_id = $2',
      keeps: 'rows of the agency’s imports that belong to no client: those that name this one are without name and cell',
    },
  },
  conversation: all,
  conversation_message: all,
  conversation_read: all,
  conversation_turn: all,
  credential: { agency: gone, client: { how: 'delete', step: 'destroy_key' } },
  credential_use: { agency: gone, client: only('t.client_id = $2') },
  deletion_request: {
    agency: { how: 'delete', only: THIS_REQUEST, keeps: 'the request that is carried out stays without names and reason, as evidence' },
    client: {
      how: 'delete',
      only: `t.client_id = $2 and ${THIS_REQUEST}`,
      keeps: 'the request that is carried out stays without names and reason, as evidence',
    },
  },
  delivery: { agency: gone, client: only(CLIENT_EVENT), before: ['event'] },
  delivery_attempt: { agency: gone, client: only(CLIENT_DELIVERY), before: ['delivery', 'event'] },
  delivery_queue: { agency: gone, client: only(CLIENT_DELIVERY), before: ['delivery', 'event'] },
  dispatch: ofClientWorkflow,
  engine_connection: all,
  event: { agency: gone, client: only('t.client_id = $2') },
  execution: all,
  execution_payload: { agency: gone, client: only('t.client_id = $2') },
  first_contact: all,
  file: {
    agency: {
      how: 'delete',
      step: 'delete_files',
      only: "t.purpose <> 'invoice'",
      keeps: 'PDFs of issued invoices, which must be kept by law',
    },
    client: { how: 'delete', step: 'delete_files' },
  },
  file_chunk: {
    agency: {
      how: 'delete',
      step: 'delete_files',
      only: "exists (select from file f where f.id = t.file_id and f.purpose <> 'invoice')",
      keeps: 'PDFs of issued invoices, which must be kept by law',
      rows: 200,
    },
    client: { how: 'delete', step: 'delete_files', rows: 200 },
  },
  first_answer: {
    agency: gone,
    client: {
      how: 'delete',
      only: 't.client_id = $2',
      keeps: 'answers to the agency’s own calls: of clients ids alone, deleted after a day',
    },
  },
  hours_estimate: agencyOnly(OF_AGENCY),
  idempotency_key: {
    agency: gone,
    client: only('t.scope in (select w.id::text from workflow w where w.client_id = $2)'),
    before: ['workflow'],
  },
  inbound_event: { agency: gone, client: only('t.client_id = $2') },
  invitation: all,
  invoice: {
    agency: {
      how: 'delete',
      only: "t.status = 'draft'",
      dependents: ['invoice_line', 'invoice_id'],
      keeps: 'issued invoices with the buyer as printed must be kept by law',
    },
    client: keep(OF_AGENCY),
  },
  invoice_document: {
    agency: keep('PDFs of issued invoices, which must be kept by law'),
    client: keep(OF_AGENCY),
  },
  invoice_line: {
    agency: {
      how: 'delete',
      index: { name: 'invoice_line_waiting', where: 't.invoice_id is null' },
      keeps: 'lines of issued invoices, which must be kept by law',
    },
    client: keep(OF_AGENCY),
  },
  knowledge_document: all,
  knowledge_passage: all,
  knowledge_word: all,
  mail: {
    agency: gone,
    client: only(
      `t.about_client_id = $2 or ${CLIENT_USER} or t.invitation_id in (select i.id from invitation i where i.client_id = $2)
      or t.to_address in (select u.email from app_user u where u.client_id = $2) or (${CLIENT_INVITED}) or ${UNSENT_DIGEST}`,
    ),
    before: ['app_user', 'invitation'],
  },
  media: { agency: { how: 'delete', step: 'delete_files' }, client: { how: 'delete', step: 'delete_files' } },
  media_variant: { agency: { how: 'delete', step: 'delete_files' }, client: { how: 'delete', step: 'delete_files' } },
  mfa_recovery_code: ofPerson,
  name_review: all,
  notification: { agency: gone, client: only('t.client_id = $2 or t.about_client_id = $2') },
  notification_digest: { agency: gone, client: only(CLIENT_USER), before: ['app_user'] },
  notification_preference: all,
  onboarding_dismissal: agencyOnly(OF_AGENCY),
  opt_out: all,
  partner: {
    agency: {
      how: 'clear',
      stay: ['id', 'partner_id', 'status', 'timezone', 'name', 'slug', 'suspension_cause'],
      because: 'the tombstone: kept invoices refer to it',
    },
    client: keep(OF_AGENCY),
  },
  partner_data_key: {
    agency: keep('that the key was destroyed, and when; the key itself is erased'),
    client: keep('the key of all values of the agency'),
  },
  partner_domain: agencyOnly(OF_AGENCY),
  partner_quota: agencyOnly(NUMBERS),
  plan_request: agencyOnly(OF_AGENCY),
  planned_run: all,
  provisioning_attempt: all,
  provisioning_step: {
    agency: gone,
    client: only('t.attempt_id in (select a.id from provisioning_attempt a where a.client_id = $2)'),
    before: ['provisioning_attempt'],
  },
  purge: {
    agency: {
      how: 'delete',
      only: 't.client_id is not null',
      keeps: 'when the account was removed, and how many rows; no name',
    },
    client: keep('when the account was removed, and how many rows; no name'),
  },
  purge_step: {
    agency: {
      how: 'delete',
      only: 't.deletion_request_id in (select p.deletion_request_id from purge p where p.partner_id = $1 and p.client_id is not null)',
      keeps: 'when the account was removed, and how many rows; no name',
    },
    client: keep('when the account was removed, and how many rows; no name'),
  },
  quota_period: agencyOnly(NUMBERS),
  reactivation_request: all,
  report_mail: all,
  report_subscription: all,
  result_value: agencyOnly(OF_AGENCY),
  rerun_item: {
    agency: gone,
    client: only(
      't.request_id in (select r.id from rerun_request r join workflow w on w.id = r.workflow_id where r.partner_id = $1 and w.client_id = $2)',
    ),
    before: ['rerun_request', 'workflow'],
  },
  rerun_request: ofClientWorkflow,
  rollout_partner: agencyOnly(OF_AGENCY),
  sample_data: agencyOnly(OF_AGENCY),
  saved_filter: { agency: { how: 'delete', step: 'end_sessions' }, client: keep('filters of the agency’s own users') },
  sso_attempt: agencyOnly(OF_AGENCY),
  sso_code: { agency: { how: 'delete', step: 'end_sessions' }, client: keep('sign-ins of the agency’s own users, for a minute') },
  sso_connection: agencyOnly(OF_AGENCY),
  sso_login: { agency: { how: 'delete', step: 'end_sessions' }, client: keep('sign-ins of the agency’s own users, for minutes') },
  sso_logout_request: agencyOnly(OF_AGENCY),
  sso_session: { agency: { how: 'delete', step: 'end_sessions' }, client: keep('sign-ins of the agency’s own users') },
  sso_test: { agency: { how: 'delete', step: 'end_sessions' }, client: keep('sign-ins of the agency’s own users, for minutes') },
  subscription: agencyOnly(OF_AGENCY),
  template_copy: agencyOnly(OF_AGENCY),
  text_suggestion: all,
  under_way: {
    agency: gone,
    client: only('exists (select from execution e where e.id = t.execution_id and e.client_id = $2)'),
    before: ['execution'],
  },
  usage_delta: { agency: gone, client: keep(NUMBERS) },
  usage_entry: { agency: gone, client: keep('the agency’s ledger of credits, without a name') },
  usage_hour: { agency: gone, client: keep(NUMBERS) },
  usage_span: { agency: gone, client: keep(NUMBERS) },
  user_mfa: ofPerson,
  user_session: ofPerson,
  view_as_session: ofPerson,
  webhook_endpoint: agencyOnly(OF_AGENCY),
  webhook_recovery: agencyOnly(OF_AGENCY),
  workflow: all,
  workflow_contact: ofClientWorkflow,
  workflow_drift: ofClientWorkflow,
  workflow_hour: { agency: gone, client: keep(NUMBERS) },
  workflow_schedule: ofClientWorkflow,
};

/** Tables without a `partner_id` that hold something of an account, or could: what a purge does with them. */
export const OTHER_TABLES: Readonly<Record<string, string>> = {
  ai_rate: 'published rates, of no account',
  forgotten_text: 'up to which run texts were emptied, of no account',
  invoice_number: 'numbers of invoices by year, of no account',
  mfa_challenge: 'goes with its user',
  name_rule: 'which version of the rule about names was applied',
  newsletter_subscriber: 'people who asked for the newsletter, of no account',
  partitioned_table: 'names of tables',
  password_reset: 'goes with its user',
  password_reset_request: 'those of the account’s addresses are deleted',
  plan: 'the catalog of plans',
  platform_hour: 'sums over all agencies, which name none',
  rate_limit: 'counters of the account’s people and addresses are deleted',
  report_refusal: 'counts by hour and reason, of no account',
  revoked_session: 'ids of ended sessions, of no person; each goes when its token would have expired',
  rollout: 'updates of a template, of no account',
  work_item_owner: 'staff who handle the account’s items are removed from them',
  worker_heartbeat: 'when a worker was last seen, of no account',
};
