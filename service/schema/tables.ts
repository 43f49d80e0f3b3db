/**
 * Which tables each module owns and which others it may use. "owns": only this module writes them, but for the exceptions under "writes",
 * each with its reason. "reads": tables of the same or a lower layer. "readsAbove": tables of a higher layer, each with its reason.
 * `tests/table-ownership.test.ts` compares this list with the SQL of the modules and of their functions, in both directions.
 */
export type TableUsage = {
  owns: readonly string[];
  writes?: Readonly<Record<string, string>>;
  reads?: readonly string[];
  readsAbove?: Readonly<Record<string, string>>;
};

/** Tables of the platform, which no module uses by name. */
export const PLATFORM_TABLES: readonly string[] = ['partitioned_table', 'rate_limit'];

export const TABLES: Readonly<Record<string, TableUsage>> = {
  '1-ledger/audit': {
    owns: ['audit_entry'],
    readsAbove: {
      app_user: 'an entry keeps who acted',
      client: 'names shown beside entries',
      partner: 'names shown beside entries',
      plan: 'how many days of entries a plan shows',
      subscription: 'how many days of entries a plan shows',
    },
  },
  '1-ledger/events': {
    owns: ['event'],
  },
  '1-ledger/mail': {
    owns: ['mail'],
    readsAbove: {
      app_user: 'who may still be mailed',
      invoice_document: 'the document attached to a mail',
      partner: 'branding of a mail',
    },
  },
  '1-ledger/metering': {
    owns: ['partner_quota', 'quota_period', 'usage_entry', 'workflow_hour'],
    readsAbove: {
      billing_order: 'an entry of the ledger names its order',
      client: 'names shown beside usage',
      partner: 'time zone of a period',
      plan: 'monthly credits of the next period',
      subscription: 'monthly credits of the next period',
      workflow: 'names shown beside usage',
    },
  },
  '1-ledger/scope': {
    owns: [],
    readsAbove: { client: 'whether a filter names one', partner: 'whether a filter names one', workflow: 'whether a filter names one' },
  },
  '2-tenancy/billing': {
    owns: [
      'billing_adjustment',
      'billing_key',
      'billing_order',
      'billing_profile',
      'invoice',
      'invoice_document',
      'invoice_line',
      'invoice_number',
      'subscription',
    ],
    writes: {
      partner_quota:
        'bought and adjusted credits are usable in the transaction of the order; terms that no longer fit leave the monthly ones',
      usage_entry: 'bought and adjusted credits are an entry of the ledger in the transaction of the order',
    },
    reads: ['app_user', 'client', 'partner', 'plan'],
  },
  '2-tenancy/clients': {
    owns: ['client'],
    writes: { app_user: 'a client’s users are suspended and removed with it' },
    reads: ['partner', 'plan', 'subscription', 'workflow_hour'],
    readsAbove: { alert_rules: 'health of a client’s agents in the list', workflow: 'agents of a client in the list' },
  },
  '2-tenancy/identity': {
    owns: [
      'app_user',
      'mfa_challenge',
      'mfa_recovery_code',
      'password_reset',
      'password_reset_request',
      'revoked_session',
      'user_mfa',
      'view_as_session',
    ],
    reads: ['client', 'partner', 'plan', 'subscription'],
  },
  '2-tenancy/invitations': {
    owns: ['invitation'],
    writes: { app_user: 'accepting an invitation creates the user' },
    reads: ['client', 'mail', 'partner', 'plan', 'subscription'],
  },
  '2-tenancy/partners': {
    owns: ['partner'],
    writes: { partner_quota: 'terms set the credits of a period', subscription: 'a workspace is created with its subscription' },
    reads: ['client', 'plan', 'sso_connection', 'workflow_hour'],
    readsAbove: { automation_instance: 'setup state in the list of partners', workflow: 'agents counted in the list of partners' },
  },
  '2-tenancy/plan-requests': {
    owns: ['plan_request'],
    reads: ['app_user', 'partner', 'plan'],
  },
  '2-tenancy/plans': {
    owns: ['plan'],
    reads: ['subscription'],
  },
  '2-tenancy/sso': {
    owns: ['sso_code', 'sso_connection', 'sso_login', 'sso_test'],
    writes: { app_user: 'a first login through a provider creates or links the user' },
    reads: ['partner', 'plan', 'subscription'],
  },
  '2-tenancy/team': {
    owns: [],
    writes: { app_user: 'the team changes its members’ roles and removes them' },
    reads: ['partner'],
  },
  '2-tenancy/users': {
    owns: [],
    writes: { app_user: 'staff disable and enable users' },
    reads: ['partner'],
  },
  '3-product/agents': {
    owns: ['agent_removal', 'workflow'],
    reads: ['client', 'execution', 'partner', 'planned_run', 'workflow_hour'],
    readsAbove: {
      alert_rules: 'thresholds that decide an agent’s health',
      automation_instance: 'whether removal from the engine must wait for a setup',
    },
  },
  '3-product/catalog': {
    owns: [],
    reads: ['workflow'],
  },
  '3-product/credentials': {
    owns: ['credential', 'credential_use', 'engine_connection', 'partner_data_key'],
    reads: ['client', 'execution', 'workflow'],
  },
  '3-product/executions': {
    owns: [
      'dispatch',
      'execution',
      'execution_payload',
      'idempotency_key',
      'inbound_event',
      'opt_out',
      'rerun_item',
      'rerun_request',
      'workflow_contact',
    ],
    writes: {
      audit_entry: 'a test run is recorded by the statement that accepts it',
      partner_quota: 'accepting an execution holds credits, ending it frees them',
      usage_entry: 'ending an execution meters it, once',
      workflow: 'ending an execution counts its failures in a row',
      workflow_hour: 'ending an execution counts its hour',
    },
    reads: ['client', 'engine_connection', 'partner', 'subscription'],
  },
  '3-product/workflows': {
    owns: ['planned_run', 'workflow_schedule'],
    writes: { workflow_contact: 'a planned execution is skipped for a contact who was reached' },
    reads: ['client', 'execution', 'execution_payload', 'partner', 'subscription', 'workflow'],
  },
  '4-setup/agent-requests': {
    owns: ['agent_request', 'agent_request_key'],
    reads: ['app_user', 'automation_instance', 'client', 'partner', 'workflow'],
  },
  '4-setup/provisioning': {
    owns: ['automation_instance', 'provisioning_attempt', 'provisioning_step', 'template_copy', 'workflow_drift'],
    writes: { workflow: 'a setup records the flow it installed' },
    reads: ['app_user', 'client', 'dispatch', 'execution', 'partner', 'workflow_hour'],
  },
  '4-setup/rollouts': {
    owns: ['rollout', 'rollout_partner'],
    reads: ['app_user', 'automation_instance', 'partner', 'provisioning_attempt', 'workflow'],
  },
  '5-reactions/alerts': {
    owns: ['alert', 'alert_recipient', 'alert_rules'],
    writes: { partner_quota: 'alert rules hold the thresholds of usage' },
    reads: [
      'app_user',
      'automation_instance',
      'client',
      'credential',
      'delivery',
      'delivery_attempt',
      'partner',
      'provisioning_attempt',
      'sso_connection',
      'webhook_endpoint',
      'workflow',
    ],
  },
  '5-reactions/notifications': {
    owns: ['notification', 'notification_digest', 'notification_preference'],
    reads: ['agent_request', 'alert_recipient', 'app_user', 'audit_entry', 'client', 'partner'],
  },
  '5-reactions/webhooks': {
    owns: ['delivery', 'delivery_attempt', 'delivery_queue', 'webhook_endpoint', 'webhook_recovery'],
    reads: ['app_user', 'partner'],
  },
  '6-views/client-home': {
    owns: [],
    reads: ['client', 'partner', 'workflow', 'workflow_hour'],
  },
  '6-views/overview': {
    owns: [],
    reads: [
      'agent_request',
      'alert',
      'alert_rules',
      'app_user',
      'automation_instance',
      'client',
      'credential',
      'execution',
      'invitation',
      'partner',
      'partner_quota',
      'provisioning_attempt',
      'provisioning_step',
      'webhook_endpoint',
      'workflow',
      'workflow_hour',
    ],
  },
  '6-views/work-queue': {
    owns: ['work_item_owner'],
    reads: ['agent_request', 'app_user', 'automation_instance', 'client', 'partner', 'plan', 'plan_request', 'provisioning_attempt'],
  },
};
