import type { NewMail } from '../kinds.ts';
import { applicationApproved, applicationKnownAddress, applicationReceived, applicationRejected } from './applications.ts';
import type { Content, Voice } from './content.ts';
import { accountSuspended, alertOpened, alertResolved, digest, notification, ssoReleased, webhookFailing } from './operations.ts';
import { invitation, mfaReset, mfaSwitched, passwordChanged, passwordReset, recoveryCodesRenewed } from './people.ts';

/** The words of each kind of mail. */
export function textOf(mail: NewMail, voice: Voice): Content {
  switch (mail.kind) {
    case 'invitation':
      return invitation(mail.data, voice);
    case 'password_reset':
      return passwordReset(mail.data, voice);
    case 'password_changed':
      return passwordChanged(mail.data, voice);
    case 'mfa_reset':
      return mfaReset(mail.data, voice);
    case 'mfa_enabled':
      return mfaSwitched(true, mail.data.at, voice);
    case 'mfa_disabled':
      return mfaSwitched(false, mail.data.at, voice);
    case 'recovery_codes_renewed':
      return recoveryCodesRenewed(mail.data, voice);
    case 'application_received':
      return applicationReceived(mail.data, voice);
    case 'application_known_address':
      return applicationKnownAddress(mail.data, voice);
    case 'application_approved':
      return applicationApproved(mail.data, voice);
    case 'application_rejected':
      return applicationRejected(mail.data, voice);
    case 'alert_opened':
      return alertOpened(mail.data, voice);
    case 'alert_resolved':
      return alertResolved(mail.data, voice);
    case 'webhook_failing':
      return webhookFailing(mail.data, voice);
    case 'sso_released':
      return ssoReleased(mail.data, voice);
    case 'account_suspended':
      return accountSuspended(mail.data, voice);
    case 'notification':
      return notification(mail.data, voice);
    case 'digest':
      return digest(mail.data, voice);
  }
}
