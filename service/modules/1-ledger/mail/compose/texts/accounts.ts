import { accountOutcomeSentence } from '../account-outcome.ts';
import { formatSize } from '@partner-portal/messages/size.ts';
import type { MailData } from '../kinds.ts';
import { action, type Content, facts, quote, text, type TextContext } from './content.ts';
import { businessName, plainLines } from './plain.ts';

const ADMIN = (partnerName: string): string => `You are receiving this e-mail because you are an admin of ${partnerName}.`;

export function accountSuspended(data: MailData['account_suspended'], { partnerName, when, link }: TextContext): Content {
  const isAgency = data.accountType === 'partner';
  const name = businessName(data.accountName);
  const kept =
    data.purgeAfter === null
      ? 'Nothing was deleted.'
      : `Nothing is deleted yet: until ${when(data.purgeAfter)} the account can be reactivated with everything it had.`;
  return {
    subject: isAgency ? `The account of ${partnerName} is suspended` : `${name} is suspended`,
    heading: isAgency ? 'Your account is suspended' : `${name} is suspended`,
    blocks: [
      text(
        isAgency
          ? `Agents accept no new events and schedules are paused for all your clients. ${kept} You can still log in, view your bills, export your data and request reactivation.`
          : `Its agents accept no new events and its schedules are paused. ${kept} Its users can still log in to see why.`,
      ),
      facts(['Since', when(data.at)], ...(data.purgeAfter === null ? [] : [['Deleted after', when(data.purgeAfter)] as const])),
      ...quote(plainLines(data.reason ?? '', 1000)),
      action(isAgency ? 'Log in' : 'View client', link(data.href)),
    ],
    reason: ADMIN(partnerName),
  };
}

const DECIDED = {
  deletion: { true: 'mail.deletionApproved', false: 'mail.deletionRejected' },
  reactivation: { true: 'mail.reactivationApproved', false: 'mail.reactivationRejected' },
} as const;

export function accountRequestDecided(data: MailData['account_request_decided'], { partnerName, when, link, t }: TextContext): Content {
  const name = data.accountType === 'partner' ? partnerName : businessName(data.accountName);
  const isApproved = data.approved ? 'true' : 'false';
  const decided = t(DECIDED[data.request][isApproved], { name });
  return {
    subject: decided,
    heading: decided,
    blocks: [
      text(accountOutcomeSentence(t, data.outcome, { agency: partnerName, when })),
      facts([t('mail.decided'), when(data.at)]),
      ...quote(plainLines(data.note ?? '', 1000)),
      action(t('mail.viewAccount'), link(data.href)),
    ],
    reason: t('mail.accountReason', { agency: partnerName }),
  };
}

export function exportReady(data: MailData['export_ready'], { partnerName, when, link, t, tag }: TextContext): Content {
  const name = businessName(data.accountName);
  return {
    subject: t('mail.exportSubject', { name }),
    heading: t('mail.exportHeading'),
    blocks: [
      text(t('mail.exportLead', { name })),
      facts([t('mail.size'), formatSize(data.sizeBytes, tag)], [t('mail.availableUntil'), when(data.expiresAt)]),
      action(t('mail.viewExport'), link(data.href)),
    ],
    reason: t('mail.exportReason', { agency: partnerName }),
  };
}
