/** Mails that a link can end. */
export const MAIL_LISTS = ['notifications', 'digest', 'report', 'newsletter'] as const;
export type MailList = (typeof MAIL_LISTS)[number];
