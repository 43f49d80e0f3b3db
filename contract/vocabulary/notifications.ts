/** Notification types that users set preferences for. */
export const NOTIFICATION_TYPES = [
  'alert_opened',
  'alert_resolved',
  'usage_threshold',
  'agent_request_submitted',
  'agent_request_suggested',
  'agent_request_resolved',
  'agent_request_failed',
  'text_suggested',
  'text_suggestion_resolved',
  'account_suspended',
  'payment_past_due',
  'plan_kept',
  'account_request',
  'account_request_resolved',
  'export_ready',
  'conversation_handed_off',
  'invitation_accepted',
  'member_removed',
  'security',
] as const;
export type NotificationType = (typeof NOTIFICATION_TYPES)[number];

/** Visual tone of a notification; a resolved alert becomes `ok`. */
export const NOTIFICATION_TONES = ['ok', 'info', 'warn', 'bad'] as const;
export type NotificationTone = (typeof NOTIFICATION_TONES)[number];

/** Mail immediately, in the daily digest, or never. */
export const EMAIL_PACES = ['now', 'daily', 'off'] as const;
export type EmailPace = (typeof EMAIL_PACES)[number];
