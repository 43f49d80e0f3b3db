/** Mail sent by the service itself. */
export const MAIL_KINDS = [
  'invitation',
  'password_reset',
  'password_changed',
  'mfa_reset',
  'signed_out',
  'mfa_enabled',
  'mfa_disabled',
  'recovery_codes_renewed',
  'application_received',
  'application_known_address',
  'application_approved',
  'application_rejected',
  'plan_request_rejected',
  'alert_opened',
  'alert_resolved',
  'webhook_failing',
  'sso_released',
  'domain_failing',
  'domain_stopped',
  'account_suspended',
  'invoice_issued',
  'credit_note_issued',
  'invoice_voided',
  'invoice_reminder',
  'payment_past_due',
  'account_request_decided',
  'export_ready',
  'conversation_handed_off',
  'conversation_waiting',
  'notification',
  'digest',
  'newsletter_confirm',
  'newsletter_subscribed',
  'report_ready',
] as const;
export type MailKind = (typeof MAIL_KINDS)[number];

/** `cancelled`: withdrawn before it was sent, because its link or what it demands is no longer valid. */
export const MAIL_STATUSES = ['queued', 'held', 'sent', 'failed', 'not_configured', 'cancelled'] as const;

/** Why mail to an address without an account waits: too much of it, or the sender’s name resembles a protected one. */
export const MAIL_HOLDS = ['cap', 'name'] as const;
export type MailHold = (typeof MAIL_HOLDS)[number];
export type MailStatus = (typeof MAIL_STATUSES)[number];

export const SUBSCRIBER_STATUSES = ['pending', 'confirmed', 'unsubscribed'] as const;
export type SubscriberStatus = (typeof SUBSCRIBER_STATUSES)[number];
