import type { MailKind, MailStatus } from '@partner-portal/contract/vocabulary.ts';

export const MAIL_KIND: Record<MailKind, string> = {
  invitation: 'Invitation',
  password_reset: 'Password reset',
  password_changed: 'Password changed',
  mfa_reset: 'Two-step login reset',
  signed_out: 'Logged out by staff',
  mfa_enabled: 'Two-step login on',
  mfa_disabled: 'Two-step login off',
  recovery_codes_renewed: 'Recovery codes renewed',
  application_received: 'Application received',
  application_known_address: 'Application, known address',
  application_approved: 'Application approved',
  application_rejected: 'Application rejected',
  plan_request_rejected: 'Plan request rejected',
  alert_opened: 'Alert',
  alert_resolved: 'Alert resolved',
  webhook_failing: 'Webhook failing',
  sso_released: 'SSO released',
  domain_failing: 'Domain failing',
  domain_stopped: 'Domain stopped',
  account_suspended: 'Account suspended',
  account_request_decided: 'Deletion or reactivation decided',
  export_ready: 'Export ready',
  conversation_handed_off: 'Hand-over',
  conversation_waiting: 'Hand-over reminder',
  invoice_issued: 'Invoice',
  credit_note_issued: 'Credit note',
  invoice_voided: 'Invoice void',
  invoice_reminder: 'Invoice reminder',
  payment_past_due: 'Payment past due',
  notification: 'Notification',
  report_ready: 'Monthly report',
  digest: 'Digest',
  newsletter_confirm: 'Newsletter, to confirm',
  newsletter_subscribed: 'Newsletter, subscribed',
};

export const MAIL_STATUS: Record<MailStatus, { mark: 'ok' | 'bad' | 'wait' | 'none' | 'skip'; word: string }> = {
  queued: { mark: 'wait', word: 'Waiting' },
  held: { mark: 'wait', word: 'Waits for staff' },
  sent: { mark: 'ok', word: 'Sent' },
  failed: { mark: 'bad', word: 'Failed' },
  not_configured: { mark: 'none', word: 'Not sent' },
  cancelled: { mark: 'skip', word: 'Cancelled' },
};

const ERRORS: Record<string, string> = {
  refused: 'The mail server rejected it permanently.',
  refused_for_now: 'The mail server rejected it temporarily.',
  attempts_exhausted: 'The mail server did not accept it in six attempts.',
  name_not_found: 'The mail server’s host name cannot be resolved.',
  connection_refused: 'The mail server refused the connection.',
  connection_failed: 'The connection to the mail server was lost.',
  timeout: 'The mail server did not respond in time.',
  tls_failed: 'The connection could not be encrypted, or the certificate is not trusted.',
  login_refused: 'The mail server refused our login.',
  sender_refused: 'The mail server does not let us send from this address.',
  limit_reached: 'The mail account has sent as much as it may for now.',
  protocol: 'The mail server’s response is not valid SMTP.',
  interrupted: 'The connection was lost after the e-mail was handed over. It may have arrived.',
  expired: 'It expired before it could be sent.',
  unreadable: 'Its stored text cannot be decrypted. A master key may be missing.',
  fault: 'This service failed before it could send it.',
};

export function explainMailError(code: string): string {
  return ERRORS[code] ?? code;
}
