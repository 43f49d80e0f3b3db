import type { InvitationKind, MailKind } from '@partner-portal/contract/vocabulary.ts';

/**
 * What each kind of mail is made of. `href` is a path of the portal (`/dashboard/…`) or an address below PUBLIC_BASE_URL;
 * anything else is refused. Names and notes are plain text as people typed them: the renderer escapes. A new kind is a
 * member here, a word in contract/vocabulary.ts (MAIL_KINDS) and a text in texts/.
 */
export type MailData = {
  /** `acceptUrl` is the whole link. `inviterName` is null when staff invited. */
  invitation: {
    invitationKind: InvitationKind;
    acceptUrl: string;
    expiresAt: Date;
    fullName: string | null;
    inviterName: string | null;
    clientName: string | null;
  };
  /** `resetUrl` is the whole link. */
  password_reset: { resetUrl: string; expiresAt: Date; fullName: string | null };
  password_changed: { at: Date; how: 'changed' | 'reset' };
  mfa_reset: { at: Date; reason: string | null };
  mfa_enabled: { at: Date };
  mfa_disabled: { at: Date };
  /** Never the codes: they are answered once, to whoever asked. */
  recovery_codes_renewed: { at: Date };
  /** Nothing the applicant typed: the form is public, and this mail must not carry strangers' words to strangers. */
  application_received: { applicationKind: 'signup' | 'trial' };
  application_known_address: Record<never, never>;
  /** The owner's invitation: `acceptUrl` is the whole link. */
  application_approved: { acceptUrl: string; expiresAt: Date; fullName: string | null; trialEndsAt: Date | null };
  application_rejected: { fullName: string | null; companyName: string; note: string | null };
  alert_opened: { severity: string; subject: string; message: string; at: Date; href: string };
  alert_resolved: { subject: string; message: string; openedAt: Date; at: Date; href: string };
  webhook_failing: { url: string; failures: number; lastError: string | null; href: string };
  sso_released: { at: Date; reason: string };
  account_suspended: { accountType: 'partner' | 'client'; accountName: string; at: Date; reason: string | null; href: string };
  /** News that has no text of its own. */
  notification: { title: string; body: string; href: string };
  /** At most 20 items are shown; `total` counts all. `settingsHref`: where one turns it off. */
  digest: { from: Date; to: Date; total: number; items: readonly DigestItem[]; href: string; settingsHref: string };
};
export type DigestItem = { title: string; body: string; href: string | null; at: Date };

/** How long a mail of this kind is worth sending and, without a transport, worth reading (minutes). A week unless its link dies earlier. */
export const USEFUL_MINUTES: Partial<Record<MailKind, number>> = { password_reset: 60 };
export const USEFUL_MINUTES_DEFAULT = 7 * 24 * 60;

/** One mail to one person. */
export type NewMail<K extends MailKind = MailKind> = {
  [Kind in K]: {
    /** Whose brand it wears, and whose row it is. Staff's and applicants' mail belongs to the house partner. */
    partnerId: string;
    to: string;
    userId?: string | undefined;
    kind: Kind;
    data: MailData[Kind];
    /** The same fact to the same address makes one mail, for as long as the row is kept (30 days). */
    dedupeKey?: string | undefined;
    /** Replaces what was not sent yet about the same invitation, and reports back to it. */
    aboutInvitationId?: string | undefined;
  };
}[K];
