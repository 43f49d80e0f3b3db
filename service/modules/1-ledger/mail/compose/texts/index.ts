import type { NewMail } from '../kinds.ts';
import { accountRequestDecided, accountSuspended, exportReady } from './accounts.ts';
import {
  applicationApproved,
  applicationKnownAddress,
  applicationReceived,
  applicationRejected,
  planRequestRejected,
} from './applications.ts';
import { creditNoteIssued, invoiceIssued, invoiceReminder, invoiceVoided, paymentPastDue } from './billing.ts';
import type { Content, TextContext } from './content.ts';
import { conversationHandedOff, conversationWaiting } from './conversations.ts';
import { newsletterConfirm, newsletterSubscribed } from './newsletter.ts';
import {
  alertOpened,
  alertResolved,
  digest,
  notification,
  domainFailing,
  domainStopped,
  ssoReleased,
  webhookFailing,
} from './operations.ts';
import { reportReady } from './reports.ts';
import { helpedByStaff, invitation, mfaSwitched, passwordChanged, passwordReset, recoveryCodesRenewed } from './people.ts';

/** Returns the content of a mail by its kind. */
export function contentOf(mail: NewMail, context: TextContext): Content {
  switch (mail.kind) {
    case 'invitation':
      return invitation(mail.data, context);
    case 'password_reset':
      return passwordReset(mail.data, context);
    case 'password_changed':
      return passwordChanged(mail.data, context);
    case 'mfa_reset':
      return helpedByStaff('mfaReset', mail.data, context);
    case 'signed_out':
      return helpedByStaff('signedOut', mail.data, context);
    case 'mfa_enabled':
      return mfaSwitched(true, mail.data.at, context);
    case 'mfa_disabled':
      return mfaSwitched(false, mail.data.at, context);
    case 'recovery_codes_renewed':
      return recoveryCodesRenewed(mail.data, context);
    case 'application_received':
      return applicationReceived(mail.data, context);
    case 'application_known_address':
      return applicationKnownAddress(mail.data, context);
    case 'application_approved':
      return applicationApproved(mail.data, context);
    case 'application_rejected':
      return applicationRejected(mail.data, context);
    case 'plan_request_rejected':
      return planRequestRejected(mail.data, context);
    case 'alert_opened':
      return alertOpened(mail.data, context);
    case 'alert_resolved':
      return alertResolved(mail.data, context);
    case 'webhook_failing':
      return webhookFailing(mail.data, context);
    case 'domain_failing':
      return domainFailing(mail.data, context);
    case 'domain_stopped':
      return domainStopped(mail.data, context);
    case 'sso_released':
      return ssoReleased(mail.data, context);
    case 'account_suspended':
      return accountSuspended(mail.data, context);
    case 'account_request_decided':
      return accountRequestDecided(mail.data, context);
    case 'export_ready':
      return exportReady(mail.data, context);
    case 'invoice_issued':
      return invoiceIssued(mail.data, context);
    case 'credit_note_issued':
      return creditNoteIssued(mail.data, context);
    case 'invoice_voided':
      return invoiceVoided(mail.data, context);
    case 'invoice_reminder':
      return invoiceReminder(mail.data, context);
    case 'payment_past_due':
      return paymentPastDue(mail.data, context);
    case 'conversation_handed_off':
      return conversationHandedOff(mail.data, context);
    case 'conversation_waiting':
      return conversationWaiting(mail.data, context);
    case 'report_ready':
      return reportReady(mail.data, context);
    case 'notification':
      return notification(mail.data, context, mail.listUnsubscribe !== undefined);
    case 'digest':
      return digest(mail.data, context);
    case 'newsletter_confirm':
      return newsletterConfirm(mail.data, context);
    case 'newsletter_subscribed':
      return newsletterSubscribed(mail.data, context);
  }
}
