import type { MailKind, MailStatus } from '@partner-portal/contract/vocabulary.ts';

export const MAIL_KIND: Record<MailKind, string> = {
  invitation: 'Invitation',
  password_reset: 'Password reset',
  password_changed: 'Password changed',
  mfa_reset: 'Two-step sign-in reset',
  mfa_enabled: 'Two-step sign-in on',
  mfa_disabled: 'Two-step sign-in off',
  recovery_codes_renewed: 'Recovery codes renewed',
  application_received: 'Application received',
  application_known_address: 'Application, known address',
  application_approved: 'Application approved',
  application_rejected: 'Application rejected',
  alert_opened: 'Alert',
  alert_resolved: 'Alert resolved',
  webhook_failing: 'Webhook failing',
  sso_released: 'SSO released',
  account_suspended: 'Account suspended',
  notification: 'Notification',
  digest: 'Digest',
};

export const MAIL_STATUS: Record<MailStatus, { mark: 'ok' | 'bad' | 'wait' | 'none' | 'skip'; word: string }> = {
  queued: { mark: 'wait', word: 'Waiting' },
  sent: { mark: 'ok', word: 'Sent' },
  failed: { mark: 'bad', word: 'Failed' },
  not_configured: { mark: 'none', word: 'Not sent' },
  cancelled: { mark: 'skip', word: 'Taken back' },
};

const ERRORS: Record<string, string> = {
  refused: 'The mail server will not take it.',
  refused_for_now: 'The mail server did not take it for now.',
  attempts_exhausted: 'The mail server did not take it in six tries.',
  name_not_found: 'The mail server’s name is not known.',
  connection_refused: 'Nobody listens at the mail server’s address.',
  connection_failed: 'The connection to the mail server broke.',
  timeout: 'The mail server did not answer in time.',
  tls_failed: 'The connection could not be encrypted, or nobody vouches for the certificate.',
  login_refused: 'The mail server refused our login.',
  sender_refused: 'The mail server does not let us send from this address.',
  protocol: 'The mail server said something that is not SMTP.',
  interrupted: 'The connection or this service broke off after the mail was handed over. It may have arrived.',
  expired: 'It was of no use any more before it could leave.',
  unreadable: 'Its stored text does not open. A master key may be missing.',
  fault: 'This service failed before it could hand it over.',
};

export function explainMailError(code: string): string {
  return ERRORS[code] ?? code;
}
