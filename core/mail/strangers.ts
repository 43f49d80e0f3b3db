import { LIMITS, type MailHold, type MailKind } from '@partner-portal/contract/vocabulary.ts';
import { CONFIRM_DAYS } from '../newsletter/newsletter.ts';

/**
 * Mail to strangers: addresses without an account, which may never have asked for it. Beyond a cap, and while the name of its sender waits
 * for staff, it is kept until staff send it. See docs/behaviour/mail.md.
 */

/** Mails to strangers within an hour: to one address, asked for from one network, and of the platform, once by forms and once by agencies. */
export type StrangerCaps = { perAddress: number; perNetwork: number; perPlatform: number };

/**
 * Limits that apply to a kind of mail. `form`: anyone may ask for it. `agency`: an agency may ask for it with any address. Both count also when the
 * address has an account, so that neither work nor outcome shows whether it has one. `address`: the platform’s calendar or a visitor causes it,
 * with an address that an agency typed. `none`: staff send it by hand, or it only goes to users.
 */
type Counted = 'form' | 'agency' | 'address' | 'none';

const COUNTED: Readonly<Record<MailKind, Counted>> = {
  application_received: 'form',
  application_known_address: 'form',
  newsletter_confirm: 'form',
  newsletter_subscribed: 'form',
  invitation: 'agency',
  conversation_handed_off: 'address',
  conversation_waiting: 'address',
  invoice_issued: 'address',
  credit_note_issued: 'address',
  invoice_voided: 'address',
  invoice_reminder: 'address',
  payment_past_due: 'address',
  application_approved: 'none',
  application_rejected: 'none',
  plan_request_rejected: 'none',
  password_reset: 'none',
  password_changed: 'none',
  mfa_reset: 'none',
  signed_out: 'none',
  mfa_enabled: 'none',
  mfa_disabled: 'none',
  recovery_codes_renewed: 'none',
  alert_opened: 'none',
  alert_resolved: 'none',
  webhook_failing: 'none',
  sso_released: 'none',
  domain_failing: 'none',
  domain_stopped: 'none',
  account_suspended: 'none',
  account_request_decided: 'none',
  export_ready: 'none',
  report_ready: 'none',
  notification: 'none',
  digest: 'none',
};

export type StrangerLimit = 'strangerMailOfAddress' | 'strangerMailOfNetwork' | 'strangerMailOfPlatform';

/** Whether a mail is treated as one to a stranger. */
export function isToStranger(kind: MailKind, hasAccount: boolean): boolean {
  const counted = COUNTED[kind];
  return counted === 'form' || counted === 'agency' || !hasAccount;
}

/**
 * Returns the counters that a mail to a stranger counts for, each with its key, in the order in which they are asked. `network` is the address
 * that the request came from; null when no anonymous caller asked for the mail.
 */
export function strangerCounters(kind: MailKind, to: string, network: string | null): readonly (readonly [StrangerLimit, string])[] {
  const address = ['strangerMailOfAddress', to.toLowerCase()] as const;
  switch (COUNTED[kind]) {
    case 'form':
      return [
        ...(network === null ? [] : [['strangerMailOfNetwork', `ip:${network}`] as const]),
        address,
        ['strangerMailOfPlatform', 'forms'],
      ];
    case 'agency':
      return [address, ['strangerMailOfPlatform', 'agencies']];
    case 'address':
      return [address];
    case 'none':
      return [];
  }
}

const DAY_MINUTES = 24 * 60;
/** Minutes for which the link of a mail is valid: it is neither sent nor kept for staff any longer. */
const LINK_MINUTES: { readonly [kind in MailKind]?: number } = {
  password_reset: LIMITS.passwordResetMinutes,
  invitation: LIMITS.invitationDays * DAY_MINUTES,
  application_approved: LIMITS.invitationDays * DAY_MINUTES,
  newsletter_confirm: CONFIRM_DAYS * DAY_MINUTES,
};
const SENT_DAYS = 7;
const HELD_DAYS = 90;

/** Returns for how many minutes a mail may still be sent, wait for staff (`isHeld`) or, without a transport, be read by them. */
export function keptMinutes(kind: MailKind, isHeld: boolean): number {
  return LINK_MINUTES[kind] ?? (isHeld ? HELD_DAYS : SENT_DAYS) * DAY_MINUTES;
}

/** Returns why a mail to a stranger waits for staff; null when it is sent. */
export function holdOf({ nameWaits, isBeyondCap }: { nameWaits: boolean; isBeyondCap: boolean }): MailHold | null {
  if (nameWaits) return 'name';
  return isBeyondCap ? 'cap' : null;
}
