import type { InvitationKind, MailKind } from '@partner-portal/contract/vocabulary.ts';

/**
 * Data of each kind of mail. `href` is a path of the portal (`/dashboard/…`) or an address below PUBLIC_BASE_URL; anything else throws.
 * Names and notes are plain text as people typed them; the renderer escapes. A new kind also needs an entry in MAIL_KINDS
 * (contract/vocabulary.ts) and a text in texts/.
 */
export type MailData = {
  /** `acceptUrl` is absolute. `inviterName` is null when staff invited. */
  invitation: {
    invitationKind: InvitationKind;
    acceptUrl: string;
    expiresAt: Date;
    fullName: string | null;
    inviterName: string | null;
    clientName: string | null;
  };
  /** `resetUrl` is absolute. */
  password_reset: { resetUrl: string; expiresAt: Date; fullName: string | null };
  password_changed: { at: Date; how: 'changed' | 'reset' };
  mfa_reset: { at: Date; reason: string | null };
  mfa_enabled: { at: Date };
  mfa_disabled: { at: Date };
  /** Never the codes: they are shown once, to the user who renewed them. */
  recovery_codes_renewed: { at: Date };
  /** Nothing the applicant typed: the form is public, and the service must not send one stranger's text to another. */
  application_received: { applicationKind: 'signup' | 'trial' };
  application_known_address: Record<never, never>;
  /** The owner's invitation. `acceptUrl` is absolute. */
  application_approved: { acceptUrl: string; expiresAt: Date; fullName: string | null; trialEndsAt: Date | null };
  application_rejected: { fullName: string | null; companyName: string; note: string | null };
  alert_opened: { severity: string; subject: string; message: string; at: Date; href: string };
  alert_resolved: { subject: string; message: string; openedAt: Date; at: Date; href: string };
  webhook_failing: { url: string; failures: number; lastError: string | null; href: string };
  sso_released: { at: Date; reason: string };
  account_suspended: { accountType: 'partner' | 'client'; accountName: string; at: Date; reason: string | null; href: string };
  /** With the PDF attached. `total` and `dueOn` are formatted; a credit note has no due date. */
  invoice_issued: InvoiceMail;
  credit_note_issued: InvoiceMail;
  /** Amounts are formatted. */
  invoice_reminder: { number: string; total: string; dueAt: Date; overdueDays: number; href: string };
  payment_past_due: { invoices: readonly { number: string; total: string; dueAt: Date }[]; suspendsAt: Date; href: string };
  /** A notification without a text of its own. */
  notification: { title: string; body: string; href: string };
  /** At most 20 items are shown; `total` counts all. `settingsHref` is the page that turns it off. */
  digest: { from: Date; to: Date; total: number; items: readonly DigestItem[]; href: string; settingsHref: string };
};
export type InvoiceMail = {
  number: string;
  sellerName: string;
  total: string;
  dueOn: string | null;
  creditsNumber: string | null;
  href: string;
};
export type DigestItem = { title: string; body: string; href: string | null; at: Date };

/** Minutes for which a mail may still be sent or, without a transport, read by staff. A week, unless its link expires earlier. */
export const USEFUL_MINUTES: Partial<Record<MailKind, number>> = { password_reset: 60 };
export const USEFUL_MINUTES_DEFAULT = 7 * 24 * 60;

/** A document that is sent with a mail: its file name and size. The bytes stay where they are stored. */
export type Attachment = { invoiceId: string; name: string; bytes: number };

/** One mail to one person. */
export type NewMail<K extends MailKind = MailKind> = {
  [Kind in K]: {
    /** Owner of the row and of the branding. Mail of staff and applicants belongs to the house partner. */
    partnerId: string;
    to: string;
    userId?: string | undefined;
    kind: Kind;
    data: MailData[Kind];
    /** Deduplication key per address, valid as long as the row is stored (30 days). */
    dedupeKey?: string | undefined;
    /** The stored document of an invoice, read and attached when the mail is sent. */
    attachment?: Attachment | undefined;
    /** Replaces unsent mail about the same invitation; the result is reported to `onSettled`. */
    aboutInvitationId?: string | undefined;
  };
}[K];
