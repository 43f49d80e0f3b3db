/**
 * The rows that each scheduled job finds and how: the index that answers "what is due", and how much one run does at most. docs/sweeps.md is generated from
 * this list and the schedules in the code; a test compares both, and the indexes with the database.
 */
export type Sweep = {
  /** The rows it finds, as the end of "looks for …". */
  finds: string;
  /** Indexes that find it; empty when it reads a whole table, with the reason in `atMost`. */
  indexes: readonly string[];
  /** The most one run does. */
  atMost: string;
};

export const SWEEPS: Readonly<Record<string, Sweep>> = {
  'account-export.sweep': {
    finds: 'exports whose process died, and export files past their retention',
    indexes: ['account_export_open', 'account_export_expiry'],
    atMost: 'batches until none is left',
  },
  'agent-requests.sweep': { finds: 'requests whose installation is due', indexes: ['agent_request_due'], atMost: 'one batch' },
  'agents.sweep-removals': {
    finds: 'flows of removed agents that are still in the engine',
    indexes: ['agent_removal_due'],
    atMost: 'one batch',
  },
  'ai-proxy.sweep': { finds: 'calls of language models that never ended', indexes: ['ai_call_open'], atMost: 'batches until none is left' },
  'alerts.sweep': {
    finds: 'conditions that have no alert yet, and alerts whose condition ended',
    indexes: ['alert_one_current', 'workflow_failing', 'workflow_last_run'],
    atMost: 'rounds of 200 within a second; each round reads the agents that are failing or may be silent',
  },
  'audit.forget-looks': {
    finds: 'looks past their retention',
    indexes: ['client_look_age', 'agency_look_age'],
    atMost: 'batches until none is left',
  },
  'billing.collect': { finds: 'overdue invoices', indexes: ['invoice_overdue'], atMost: 'batches until none is left' },
  'billing.mail_invoices': { finds: 'issued invoices without a mail', indexes: ['invoice_unmailed'], atMost: 'one batch' },
  'billing.roll-over': { finds: 'subscriptions whose period ended', indexes: ['subscription_due'], atMost: 'batches until none is left' },
  'chatbot.end_forgotten_readings': {
    finds: 'documents that wait for a reading, and those whose readings were all cut off',
    indexes: ['knowledge_document_pending'],
    atMost: 'one job for all that wait',
  },
  'clients.forget-imports': {
    finds: 'imports past their retention',
    indexes: ['client_import_created'],
    atMost: 'batches until none is left',
  },
  'conversations.forget': {
    finds: 'conversations past their retention, and what conversations cost on days that are over',
    indexes: ['conversation_newest', 'chat_spending_day'],
    atMost: 'batches until none is left',
  },
  'conversations.remind': {
    finds: 'visitors who wait for a person',
    indexes: ['conversation_waiting'],
    atMost: 'batches until none is left',
  },
  'conversations.turns': { finds: 'turns whose process died', indexes: ['conversation_turn_due'], atMost: 'one batch' },
  'credentials.sweep': {
    finds: 'connections to write to the engine, and those in platform mode that have another key than they should',
    indexes: ['engine_connection_due', 'engine_connection_pkey'],
    atMost: 'one batch that is due; all connections in platform mode are compared',
  },
  'credentials.verify-tls': {
    finds: 'SQL keys of before certificates were verified that were not tested yet',
    indexes: ['credential_tls_due'],
    atMost: 'one batch of 10',
  },
  'database.maintain-partitions': {
    finds: 'months without a partition, and partitions past their retention',
    indexes: [],
    atMost: 'the catalog: a dozen tables',
  },
  'domains.recheck': { finds: 'host names whose proof is due', indexes: ['partner_domain_due'], atMost: 'one batch' },
  'executions.correct-timeouts': {
    finds: 'timed-out runs of a chatbot whose turn ended',
    indexes: ['execution_timed_out_turns'],
    atMost: 'one batch',
  },
  'executions.forget-keys': {
    finds:
      'idempotency keys of events past their day, first contacts older than an hour, counts of refused reports past their week, and texts of runs past their retention',
    indexes: ['idempotency_key_age', 'first_contact_age', 'report_refusal_pkey', 'execution_pkey'],
    atMost: 'batches until none is left; seven counts an hour',
  },
  'executions.sweep-reruns': { finds: 'bulk reruns that stopped', indexes: ['rerun_request_open'], atMost: 'one job for each agency' },
  'executions.timeout': {
    finds: 'runs in progress past their deadline',
    indexes: ['execution_running'],
    atMost: 'batches until none is left',
  },
  'files.sweep': {
    finds: 'files whose upload was cut off, and those that nothing refers to',
    indexes: ['file_incomplete'],
    atMost: 'batches of 20; reads the files once a day',
  },
  'first-answers.forget': {
    finds: 'first answers to an idempotency key past their day',
    indexes: ['first_answer_age'],
    atMost: 'batches until none is left',
  },
  'identity.forget-ended-sessions': {
    finds: 'sessions, challenges and links that ended',
    indexes: ['user_session_expiry', 'revoked_session_expiry', 'mfa_challenge_expiry', 'password_reset_expiry'],
    atMost: 'what ended in an hour',
  },
  'mail.sweep': {
    finds: 'mail that is due, bodies past their end, and mail past its retention',
    indexes: ['mail_due', 'mail_body'],
    atMost: '500 of each',
  },
  'media.remove-lost-avatars': {
    finds: 'pictures of removed users',
    indexes: [],
    atMost: 'one batch; reads the pictures of users once a day',
  },
  'metering.fold-usage': {
    finds: 'usage that was counted since the last run',
    indexes: ['usage_delta_pkey'],
    atMost: '10,000 notes at a time, 20 seconds',
  },
  'name-reviews.look': {
    finds: 'after a change of the rule: names of agencies and clients that resemble a protected one',
    indexes: ['client_pkey', 'partner_pkey'],
    atMost: 'portions of 200 names; every name once for a version of the rule',
  },
  'newsletter.forget': {
    finds: 'subscriptions that were never confirmed, and those that ended',
    indexes: ['newsletter_subscriber_pending', 'newsletter_subscriber_left'],
    atMost: 'what ended in a day',
  },
  'notifications.digest': {
    finds: 'users with notifications for the daily summary',
    indexes: ['notification_digest_due'],
    atMost: 'batches until none is left',
  },
  'notifications.forget': {
    finds: 'notifications past their retention',
    indexes: ['notification_age'],
    atMost: 'batches until none is left',
  },
  'partners.end-trials': { finds: 'trials that ended', indexes: ['subscription_trial'], atMost: 'one batch' },
  'provisioning.check-drift': {
    finds: 'agencies that are set up, one page after the other',
    indexes: ['automation_instance_pkey'],
    atMost: 'every agency once a day, a page at a time',
  },
  'provisioning.reap': {
    finds: 'setups that ran too long',
    indexes: ['provisioning_attempt_running', 'automation_instance_due'],
    atMost: 'one batch',
  },
  'purges.sweep': {
    finds: 'removals and purges that are due, and removals that are near while their reactivation waits for a decision',
    indexes: ['deletion_request_due', 'purge_due'],
    atMost: 'one batch of those that are due; all that wait for a decision',
  },
  'reports.send': {
    finds: 'clients whose monthly report is due',
    indexes: ['report_subscription_partner'],
    atMost: 'batches of one client of each agency in turn; outside the first days of a month none is due',
  },
  'rollouts.sweep': { finds: 'roll-outs whose next batch is due', indexes: ['rollout_due'], atMost: 'one batch' },
  'sso.forget-logins': {
    finds: 'sign-ins that were not finished, and what providers know ended sessions by',
    indexes: [
      'sso_login_expiry',
      'sso_code_expiry',
      'sso_test_expiry',
      'sso_session_expiry',
      'sso_logout_request_expiry',
      'sso_attempt_ended',
    ],
    atMost: 'what ended in an hour',
  },
  'sso.time-out-tests': { finds: 'test logins without a response', indexes: ['sso_attempt_running'], atMost: 'what began in some minutes' },
  'sso.refresh-metadata': { finds: 'identity providers whose metadata is old', indexes: ['sso_connection_metadata'], atMost: 'one batch' },
  'webhooks.recoveries': { finds: 'recoveries that stopped', indexes: ['webhook_recovery_running'], atMost: 'one job for each recovery' },
  'work-queue.forget-settled': {
    finds: 'assignments of work that is settled',
    indexes: [],
    atMost: 'the assignments, of which there are as many as people work on',
  },
  'workflows.forget-planned': {
    finds: 'planned runs past their retention',
    indexes: ['planned_run_ended'],
    atMost: 'batches until none is left',
  },
  'workflows.look-at-bookings': {
    finds: 'calendars that are due for a look',
    indexes: ['workflow_schedule_due'],
    atMost: 'one after the other until none is due',
  },
  'workflows.run-planned': { finds: 'planned runs that are due', indexes: ['planned_run_due'], atMost: 'batches until none is left' },
  'workflows.run-schedules': { finds: 'schedules that are due', indexes: ['workflow_schedule_due'], atMost: 'batches until none is left' },
};

/** A loop of every process that works, for what cannot wait for a minute. */
export type Loop = Sweep & {
  /** How long it waits after a round that found nothing (ms). */
  everyMs: number;
  /** A notice of what it looks for wakes it at once. */
  isWoken: boolean;
};

export const LOOPS: Readonly<Record<string, Loop>> = {
  'conversations.turns': {
    everyMs: 5_000,
    isWoken: false,
    finds: 'turns whose process died',
    indexes: ['conversation_turn_due'],
    atMost: 'as many as the process has room for',
  },
  'events.react': { everyMs: 1_000, isWoken: true, finds: 'events without their consequences', indexes: ['event_due'], atMost: '200' },
  'executions.dispatch': {
    everyMs: 1_000,
    isWoken: true,
    finds: 'runs that may go to the engine, one agency after the other',
    indexes: ['dispatch_queue', 'under_way_handed'],
    atMost: '16 at a time, 64 on their way',
  },
  'executions.find-stopped': {
    everyMs: 5_000,
    isWoken: false,
    finds: 'agents with runs under way, whose stopped runs the engine is asked for',
    indexes: ['under_way_ask'],
    atMost: '64 agents, 16 of their runs',
  },
  'executions.find-unreported': {
    everyMs: 5_000,
    isWoken: false,
    finds: 'runs under way whose report is late',
    indexes: ['under_way_ask'],
    atMost: '64',
  },
  'executions.timeout': {
    everyMs: 10_000,
    isWoken: false,
    finds: 'runs in progress past their deadline',
    indexes: ['execution_running'],
    atMost: 'batches of 200 until none is left',
  },
  'webhooks.send': {
    everyMs: 500,
    isWoken: true,
    finds: 'deliveries that are due, one endpoint after the other',
    indexes: ['delivery_queue_lane'],
    atMost: '256',
  },
};
