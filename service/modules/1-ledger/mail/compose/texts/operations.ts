import type { MailData } from '../kinds.ts';
import { action, type Block, type Content, facts, quote, text, type TextContext } from './content.ts';
import { plainLine, plainLines } from './plain.ts';

/** Recipients of alerts: admins, unless the rule names others. */
const RECIPIENT = (partnerName: string): string =>
  `You are receiving this e-mail because you get alerts of ${partnerName}. Change your e-mail notifications in your settings.`;
/** Every admin; there is nothing to switch off. */
const DOMAIN_RECIPIENT = (partnerName: string): string =>
  `You are receiving this e-mail because you are an admin of ${partnerName}, which has its own domain.`;
const SHOWN_MAX = 20;

export function alertOpened(data: MailData['alert_opened'], { partnerName, when, link }: TextContext): Content {
  const subject = plainLine(data.subject, 100);
  return {
    subject: `Alert: ${subject}`,
    heading: subject,
    blocks: [
      text(plainLines(data.message, 1000)),
      facts(['Severity', plainLine(data.severity, 40)], ['Since', when(data.at)]),
      action('View alert', link(data.href)),
    ],
    reason: RECIPIENT(partnerName),
  };
}

export function alertResolved(data: MailData['alert_resolved'], { partnerName, when, link }: TextContext): Content {
  const subject = plainLine(data.subject, 100);
  return {
    subject: `Resolved: ${subject}`,
    heading: `Resolved: ${subject}`,
    blocks: [
      text(plainLines(data.message, 1000)),
      facts(['From', when(data.openedAt)], ['Until', when(data.at)]),
      action('View alert', link(data.href)),
    ],
    reason: RECIPIENT(partnerName),
  };
}

export function webhookFailing(data: MailData['webhook_failing'], { partnerName, link }: TextContext): Content {
  const error = plainLine(data.lastError ?? '', 300);
  return {
    subject: `A webhook of ${partnerName} keeps failing`,
    heading: 'A webhook keeps failing',
    blocks: [
      text(`The last ${data.failures} deliveries to this endpoint failed. While it is active, we keep sending it new events.`),
      facts(['Endpoint', plainLine(data.url, 300)], ...(error === '' ? [] : [['Last error', error] as const])),
      text('Once the receiver works again, you can resend the missed deliveries from the same page.'),
      action('View deliveries', link(data.href)),
    ],
    reason: RECIPIENT(partnerName),
  };
}

export function domainFailing(data: MailData['domain_failing'], { partnerName, when, link }: TextContext): Content {
  return {
    subject: `The DNS record of ${data.host} is missing`,
    heading: 'The DNS record of your domain is missing',
    blocks: [
      text('We no longer find the TXT record that proves that this domain is yours. Your clients still reach their portal there.'),
      facts(['Domain', data.host], ['Served until', when(data.until)]),
      text('Restore the record. Otherwise the domain stops, and links in mails lead to the address of the portal again.'),
      action('View the record', link(data.href)),
    ],
    reason: DOMAIN_RECIPIENT(partnerName),
  };
}

export function domainStopped(data: MailData['domain_stopped'], { partnerName, when, link }: TextContext): Content {
  return {
    subject: `${data.host} is no longer served`,
    heading: 'Your domain is no longer served',
    blocks: [
      text(
        'The TXT record that proves that this domain is yours has been missing for days. Your clients no longer reach their portal there.',
      ),
      facts(['Domain', data.host], ['Stopped', when(data.at)]),
      text('Restore the record, and the domain works again by itself at the next check, or at once with “Check now”.'),
      action('View the record', link(data.href)),
    ],
    reason: DOMAIN_RECIPIENT(partnerName),
  };
}

export function ssoReleased(data: MailData['sso_released'], { partnerName, when, link }: TextContext): Content {
  return {
    subject: `Single sign-on is no longer enforced for ${partnerName}`,
    heading: 'Single sign-on is no longer enforced',
    blocks: [
      text('Our staff lifted the requirement that your team logs in through your identity provider. Passwords work again.'),
      facts(['When', when(data.at)]),
      ...quote(plainLines(data.reason, 1000)),
      text('If no one at your agency requested this, contact us immediately. An admin can enforce single sign-on again.'),
      action('Single sign-on settings', link('/dashboard/settings/sso')),
    ],
    reason: 'Security e-mails cannot be turned off.',
  };
}

/** `isSwitched`: whether the reader can switch it off, so the mail has an address that does. */
export function notification(data: MailData['notification'], { partnerName, link, t }: TextContext, isSwitched: boolean): Content {
  const title = plainLine(data.title, 150);
  return {
    subject: title,
    heading: title,
    blocks: [text(plainLines(data.body, 1000)), action(t('mail.viewDetails'), link(data.href))],
    reason: t(isSwitched ? 'mail.notificationReason' : 'mail.accountReason', { agency: partnerName }),
  };
}

export function digest(data: MailData['digest'], { partnerName, when, link, t }: TextContext): Content {
  const shown = data.items.slice(0, SHOWN_MAX);
  const items: Block = {
    kind: 'items',
    items: shown.map((item) => ({
      title: plainLine(item.title, 150),
      body: plainLines(item.body, 500),
      at: when(item.at),
      url: item.href === null ? null : link(item.href),
    })),
  };
  const count = t('mail.notifications', { count: data.total });
  return {
    subject: `${partnerName}: ${count}`,
    heading: count,
    blocks: [
      text(t('mail.digestLead', { from: when(data.from), to: when(data.to) })),
      items,
      ...(data.total > shown.length ? [text(t('mail.digestMore', { count: data.total - shown.length }))] : []),
      action(t('mail.viewAll'), link(data.href)),
    ],
    reason: t('mail.digestReason', { agency: partnerName, link: link(data.settingsHref) }),
  };
}
