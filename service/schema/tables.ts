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
    owns: ['agency_look', 'audit_entry', 'client_look'],
    readsAbove: {
      app_user: 'an entry keeps who acted',
      client: 'names shown beside entries',
      partner: 'names shown beside entries',
      plan: 'how many days of entries a plan shows',
      subscription: 'how many days of entries a plan shows',
    },
  },
  '1-ledger/data-keys': {
    owns: ['partner_data_key'],
    readsAbove: {
      credential: 'whether the keys of a restored database are missing',
      webhook_endpoint: 'whether the keys of a restored database are missing',
    },
  },
  '1-ledger/events': {
    owns: ['event'],
  },
  '1-ledger/files': {
    owns: ['file', 'file_chunk'],
    readsAbove: {
      account_export: 'whether a row refers to a file',
      invoice_document: 'whether a row refers to a file',
      knowledge_document: 'whether a row refers to a file',
      media: 'whether a row refers to a file',
      media_variant: 'whether a row refers to a file',
    },
  },
  '1-ledger/mail': {
    owns: ['mail'],
    reads: ['partner_data_key'],
    readsAbove: {
      app_user: 'who may still be mailed',
      invoice_document: 'the document attached to a mail',
      partner: 'branding of a mail',
    },
  },
  '1-ledger/metering': {
    owns: [
      'agent_span',
      'partner_quota',
      'platform_hour',
      'quota_period',
      'usage_delta',
      'usage_entry',
      'usage_fill',
      'usage_hour',
      'usage_span',
      'workflow_hour',
    ],
    readsAbove: {
      billing_order: 'an entry of the ledger names its order',
      client: 'names shown beside usage',
      execution: 'entries of an agent have the ids of its runs',
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
  '2-tenancy/accounts': {
    owns: ['deletion_request', 'reactivation_request'],
    writes: { purge: 'a purge begins under the locks of its request and account, so that it and a reactivation never both win' },
    reads: ['app_user', 'client', 'media', 'partner'],
    readsAbove: {
      webhook_endpoint: 'how many endpoints a deletion removes',
      workflow: 'how many agents a deletion stops and removes',
    },
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
    readsAbove: { purge: 'orders and adjustments go only with their account' },
  },
  '2-tenancy/clients': {
    owns: ['client', 'client_import', 'client_import_row'],
    writes: {
      app_user: 'a client’s users are suspended and removed with it',
      client_look: 'the undo of an import removes a client with what was recorded of looking at it',
    },
    reads: ['partner', 'plan', 'subscription', 'workflow_hour'],
    readsAbove: { alert_rules: 'health of a client’s agents in the list', workflow: 'agents of a client in the list' },
  },
  '2-tenancy/domains': {
    owns: ['partner_domain'],
    reads: ['app_user', 'partner', 'plan', 'subscription'],
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
      'user_session',
      'view_as_session',
    ],
    reads: ['client', 'partner', 'partner_data_key', 'plan', 'subscription'],
  },
  '2-tenancy/install': {
    owns: [],
    reads: ['partner'],
  },
  '2-tenancy/invitations': {
    owns: ['invitation'],
    writes: { app_user: 'accepting an invitation creates the user' },
    reads: ['client', 'mail', 'partner', 'plan', 'subscription'],
  },
  '2-tenancy/media': {
    owns: ['media', 'media_variant'],
    writes: {
      app_user: 'a removed avatar is shown no more, in the same transaction',
      partner: 'a removed logo is shown no more, in the same transaction',
    },
    reads: ['file'],
    readsAbove: { knowledge_document: 'files that chatbots know count in the storage of an agency' },
  },
  '2-tenancy/newsletter': {
    owns: ['newsletter_subscriber'],
    reads: ['partner'],
  },
  '2-tenancy/partners': {
    owns: ['partner'],
    writes: { partner_quota: 'terms set the credits of a period', subscription: 'a workspace is created with its subscription' },
    reads: ['client', 'plan', 'sso_connection'],
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
  '2-tenancy/saved-filters': {
    owns: ['saved_filter'],
    reads: [],
  },
  '2-tenancy/sso': {
    owns: ['sso_code', 'sso_connection', 'sso_login', 'sso_test'],
    writes: { app_user: 'a first login through a provider creates or links the user' },
    reads: ['partner', 'partner_data_key', 'plan', 'subscription'],
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
  '3-product/ai-proxy': {
    owns: ['ai_call', 'ai_rate'],
    writes: {
      partner_quota: 'credits of a call are reserved before it under the lock of the quota',
      usage_entry: 'a call is an entry of the ledger in the transaction that settles it',
    },
    reads: ['app_user', 'client', 'partner', 'plan', 'subscription'],
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
    reads: ['client', 'partner', 'workflow'],
  },
  '3-product/chatbot': {
    owns: ['chatbot', 'chatbot_route', 'knowledge_document', 'knowledge_passage', 'knowledge_word'],
    reads: ['client', 'partner', 'plan', 'subscription', 'workflow'],
  },
  '3-product/conversations': {
    owns: ['canned_reply', 'conversation', 'conversation_message', 'conversation_read', 'conversation_turn'],
    writes: { chatbot: 'the end of a turn counts failures in a row' },
    reads: ['ai_call', 'app_user', 'client', 'execution', 'partner', 'workflow'],
  },
  '3-product/credentials': {
    owns: ['credential', 'credential_use', 'engine_connection'],
    reads: ['client', 'execution', 'partner_data_key', 'workflow'],
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
      'under_way',
      'workflow_contact',
    ],
    writes: {
      audit_entry: 'a test run is recorded by the statement that accepts it',
      partner_quota: 'accepting an execution holds credits, ending it frees them',
      usage_entry: 'ending an execution meters it, once',
      workflow: 'ending an execution counts its failures in a row',
      workflow_hour: 'ending an execution counts its hour',
    },
    reads: ['ai_rate', 'client', 'conversation_turn', 'engine_connection', 'partner', 'subscription'],
  },
  '3-product/workflows': {
    owns: ['planned_run', 'workflow_schedule'],
    writes: { workflow_contact: 'a planned execution is skipped for a contact who was reached' },
    reads: ['client', 'execution', 'execution_payload', 'partner', 'subscription', 'workflow'],
  },
  '3-product/text-suggestions': {
    owns: ['text_suggestion'],
    reads: ['app_user', 'client', 'workflow'],
  },
  '4-setup/agent-requests': {
    owns: ['agent_request', 'agent_request_key'],
    reads: ['app_user', 'automation_instance', 'client', 'partner', 'workflow'],
  },
  '4-setup/onboarding': {
    owns: ['onboarding_dismissal'],
    reads: ['agent_request', 'app_user', 'client', 'credential', 'execution', 'invitation', 'partner', 'subscription', 'workflow'],
    readsAbove: { webhook_endpoint: 'a webhook is one of the first steps' },
  },
  '4-setup/provisioning': {
    owns: ['automation_instance', 'provisioning_attempt', 'provisioning_step', 'template_copy', 'workflow_drift'],
    writes: { workflow: 'a setup records the flow it installed' },
    reads: ['agent_removal', 'app_user', 'client', 'dispatch', 'engine_connection', 'execution'],
  },
  '4-setup/purge': {
    // Rows of all tenant tables are deleted as schema/tenant-tables.ts says; these are used by name.
    owns: ['purge', 'purge_step'],
    writes: {
      account_export: 'exports of an agency that hold a purged client are withdrawn',
      audit_entry: 'names of a purged account in the log of staff are cleared',
      automation_instance: 'what setups wrote about a purged client is cleared',
      client: 'a purged client becomes a tombstone',
      delivery: 'the name of a purged client in deliveries of its agency is replaced',
      event: 'events of a purged account cause nothing more, and those of the agency do not name a purged client',
      mail: 'mail of a purged account is not sent',
      notification: 'messages to others that name a purged account are deleted',
      partner: 'a purged agency becomes a tombstone',
      provisioning_attempt: 'what setups wrote about a purged client is cleared',
      provisioning_step: 'what setups wrote about a purged client is cleared',
      password_reset_request: 'requests of removed people are deleted',
      plan_request: 'the application an account came from is deleted',
      rate_limit: 'counters of removed people are deleted',
      rollout_partner: 'what setups wrote about a purged client is cleared',
    },
    reads: ['app_user', 'file'],
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
      'chatbot',
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
    reads: [
      'agent_request',
      'alert_recipient',
      'app_user',
      'audit_entry',
      'client',
      'deletion_request',
      'partner',
      'reactivation_request',
      'text_suggestion',
      'workflow',
    ],
  },
  '5-reactions/reports': {
    owns: ['hours_estimate', 'report_mail', 'report_send_key', 'report_subscription'],
    reads: ['agent_removal', 'app_user', 'client', 'execution', 'partner', 'workflow', 'workflow_hour'],
  },
  '5-reactions/webhooks': {
    owns: ['delivery', 'delivery_attempt', 'delivery_queue', 'webhook_endpoint', 'webhook_recovery'],
    reads: ['app_user', 'partner', 'partner_data_key'],
  },
  '6-views/account-export': {
    owns: ['account_export'],
    reads: [
      'agent_request',
      'ai_call',
      'alert',
      'app_user',
      'audit_entry',
      'billing_order',
      'canned_reply',
      'chatbot',
      'chatbot_route',
      'client',
      'client_import',
      'conversation',
      'conversation_message',
      'conversation_turn',
      'credential',
      'delivery',
      'delivery_attempt',
      'execution',
      'execution_payload',
      'inbound_event',
      'invitation',
      'invoice',
      'invoice_document',
      'invoice_line',
      'knowledge_document',
      'media',
      'notification',
      'opt_out',
      'partner',
      'partner_domain',
      'plan',
      'planned_run',
      'sso_connection',
      'subscription',
      'text_suggestion',
      'usage_entry',
      'webhook_endpoint',
      'workflow',
      'workflow_schedule',
    ],
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
      'automation_instance',
      'client',
      'credential',
      'deletion_request',
      'execution',
      'partner',
      'partner_quota',
      'provisioning_attempt',
      'provisioning_step',
      'reactivation_request',
      'workflow',
      'workflow_hour',
    ],
  },
  '6-views/trust': {
    owns: [],
    reads: [
      'agency_look',
      'app_user',
      'audit_entry',
      'chatbot',
      'client',
      'client_look',
      'conversation',
      'credential_use',
      'execution',
      'invitation',
      'partner',
      'workflow',
    ],
  },
  '6-views/work-queue': {
    owns: ['work_item_owner'],
    reads: [
      'agent_request',
      'app_user',
      'automation_instance',
      'client',
      'deletion_request',
      'partner',
      'plan',
      'plan_request',
      'provisioning_attempt',
      'reactivation_request',
    ],
  },
};
