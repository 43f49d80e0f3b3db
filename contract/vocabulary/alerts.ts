export const ALERT_RULES = [
  'usage_threshold',
  'failure_streak',
  'agent_silent',
  'webhook_failing',
  'credential_invalid',
  'credential_unverified',
  'sso_certificate',
  'provisioning_failed',
  'chatbot_failing',
  'chatbot_budget',
  'first_contacts',
  'no_worker',
] as const;
export type AlertRule = (typeof ALERT_RULES)[number];

export const ALERT_SEVERITIES = ['info', 'warning', 'critical'] as const;
export type AlertSeverity = (typeof ALERT_SEVERITIES)[number];

export const ALERT_STATUSES = ['open', 'acknowledged', 'resolved'] as const;
export type AlertStatus = (typeof ALERT_STATUSES)[number];

export const ALERT_SUBJECTS = [
  'usage',
  'agent',
  'webhook_endpoint',
  'credential',
  'sso_connection',
  'automation_instance',
  'chatbot',
  'client',
  'service',
] as const;
export type AlertSubjectType = (typeof ALERT_SUBJECTS)[number];
