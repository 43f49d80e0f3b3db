import type { HandoffReason, InvitationKind, MailKind } from '@partner-portal/contract/vocabulary.ts';
import type { AccountOutcome } from './account-outcome.ts';

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
    /** The address has an account already, so the link cannot make another one. */
    hasAccount?: boolean;
  };
  /** `resetUrl` is absolute. */
  password_reset: { resetUrl: string; expiresAt: Date; fullName: string | null };
  password_changed: { at: Date; how: 'changed' | 'reset' };
  mfa_reset: { at: Date; reason: string | null };
  signed_out: { at: Date; reason: string };
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
  /** An agency keeps its terms. */
  plan_request_rejected: { fullName: string | null; note: string | null; href: string };
  alert_opened: { severity: string; subject: string; message: string; at: Date; href: string };
  alert_resolved: { subject: string; message: string; openedAt: Date; at: Date; href: string };
  webhook_failing: { url: string; failures: number; lastError: string | null; href: string };
  sso_released: { at: Date; reason: string };
  /** The record of the own domain is missing; the domain is served until then. */
  domain_failing: { host: string; until: Date; href: string };
  domain_stopped: { host: string; at: Date; href: string };
  /** `purgeAfter`: when everything is removed, after an approved deletion. */
  account_suspended: {
    accountType: 'partner' | 'client';
    accountName: string;
    at: Date;
    reason: string | null;
    purgeAfter: Date | null;
    href: string;
  };
  /** With the PDF attached. `total` and `dueOn` are formatted; a credit note has no due date. */
  invoice_issued: InvoiceMail;
  credit_note_issued: InvoiceMail;
  /** An invoice that was mailed is void. `isDraftedAgain`: another one replaces it. */
  invoice_voided: { number: string; reason: string; isDraftedAgain: boolean; href: string };
  /** `owed`: what is left to pay of an invoice, formatted. `dueOn`: the day that the invoice prints. */
  invoice_reminder: {
    number: string;
    owed: string;
    dueOn: string;
    overdueDays: number;
    /** When the account is suspended, of an agency whose payment is past due. */
    suspendsAt: Date | null;
    href: string;
  };
  payment_past_due: { invoices: readonly { number: string; owed: string; dueOn: string }[]; suspendsAt: Date; href: string };
  /** A request to delete or reactivate an account was decided. An agency is mailed an approved deletion as `account_suspended` instead. */
  account_request_decided: {
    request: 'deletion' | 'reactivation';
    approved: boolean;
    outcome: AccountOutcome;
    accountType: 'partner' | 'client';
    accountName: string;
    at: Date;
    note: string | null;
    href: string;
  };
  /** `href` is the page of exports, never the file. */
  export_ready: { accountName: string; sizeBytes: number; expiresAt: Date; href: string };
  /** To the hand-over address of a chatbot, which may belong to no user. `message` is the visitor's. */
  conversation_handed_off: { clientName: string; visitorLabel: string; why: HandoffReason; message: string; at: Date; href: string };
  conversation_waiting: { clientName: string; visitorLabel: string; minutes: number; message: string; since: Date; href: string };
  /** The monthly report of a client. Phrases are in the reader's language already. */
  report_ready: {
    clientName: string;
    month: string;
    helped: number;
    hoursSaved: number;
    failed: number;
    /** Count of the month before; null when that month has no run. */
    previousHelped: number | null;
    /** What the agency thinks the results are worth; null while it states no amounts. */
    worth: { currency: string; minor: number } | null;
    results: readonly { agentName: string; count: number; phrase: string }[];
    href: string;
    /** A page that asks before it unsubscribes. */
    unsubscribeHref: string;
  };
  /** A notification without a text of its own. */
  notification: { title: string; body: string; href: string };
  /** At most 20 items are shown; `total` counts all. `settingsHref` is the page that turns it off. */
  digest: { from: Date; to: Date; total: number; items: readonly DigestItem[]; href: string; settingsHref: string };
  /** `confirmUrl` is absolute; `consent` is the sentence that was agreed to. */
  newsletter_confirm: { confirmUrl: string; expiresAt: Date; consent: string };
  newsletter_subscribed: { unsubscribeHref: string };
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

/**
 * Whether a kind is written in each language, because it reaches users of clients. The others are English for every reader, whose address may be that
 * of a client's user elsewhere.
 */
export const IS_TRANSLATED: Readonly<Record<MailKind, boolean>> = {
  invitation: true,
  password_reset: true,
  password_changed: true,
  mfa_reset: true,
  signed_out: true,
  mfa_enabled: true,
  mfa_disabled: true,
  recovery_codes_renewed: true,
  account_request_decided: true,
  export_ready: true,
  conversation_handed_off: true,
  conversation_waiting: true,
  notification: true,
  digest: true,
  report_ready: true,
  application_received: false,
  application_known_address: false,
  application_approved: false,
  application_rejected: false,
  plan_request_rejected: false,
  alert_opened: false,
  alert_resolved: false,
  webhook_failing: false,
  sso_released: false,
  domain_failing: false,
  domain_stopped: false,
  account_suspended: false,
  invoice_issued: false,
  credit_note_issued: false,
  invoice_voided: false,
  invoice_reminder: false,
  payment_past_due: false,
  newsletter_confirm: false,
  newsletter_subscribed: false,
};

/** A document that is sent with a mail: its file name and size. The bytes stay where they are stored. */
export type Attachment = { invoiceId: string; name: string; bytes: number };

/** One mail to one person. */
export type NewMail<K extends MailKind = MailKind> = {
  [Kind in K]: {
    /** Owner of the row and of the branding. Mail of staff and applicants belongs to the house partner. */
    partnerId: string;
    to: string;
    userId?: string | undefined;
    /** The reader's language, for one who is no user yet, or English with a region; a client's user reads that of their profile, everyone else English. */
    locale?: string | null | undefined;
    /** The time zone of what the mail says; that of the agency when left out. */
    timezone?: string | undefined;
    /** Network address of the anonymous caller who asked for the mail, which has a cap of its own. */
    askedFrom?: string | undefined;
    /** The account that the mail names; the agency of the row when left out. A purge of the account removes it. */
    about?: { partnerId: string; clientId: string | null } | undefined;
    kind: Kind;
    data: MailData[Kind];
    /** Deduplication key per address, valid as long as the row is stored (30 days). */
    dedupeKey?: string | undefined;
    /** The stored document of an invoice, read and attached when the mail is sent. */
    attachment?: Attachment | undefined;
    /** Address that ends this kind of mail by one POST (RFC 8058). Given for all mail a reader can switch off, and for no other. */
    listUnsubscribe?: { url: string } | undefined;
    /** Replaces unsent mail about the same invitation; the result is reported to `onSettled`. */
    aboutInvitationId?: string | undefined;
  };
}[K];
