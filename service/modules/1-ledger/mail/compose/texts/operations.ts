import type { MailData } from '../kinds.ts';
import { action, type Block, type Content, facts, quote, text, type TextContext } from './content.ts';
import { businessName, plainLine, plainLines } from './plain.ts';

/** Recipients of alerts: admins, unless the rule names others. */
const RECIPIENT = (partnerName: string): string =>
  `You are receiving this email because you get alerts of ${partnerName}. Change your email notifications in your profile.`;
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
      text('We will email you when it is resolved.'),
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
      text(`The last ${data.failures} deliveries to this endpoint failed. It stays active, and we keep sending it new events.`),
      facts(['Endpoint', plainLine(data.url, 300)], ...(error === '' ? [] : [['Last error', error] as const])),
      text('Once the receiver works again, you can resend the missed deliveries from the same page.'),
      action('View deliveries', link(data.href)),
    ],
    reason: RECIPIENT(partnerName),
  };
}

export function ssoReleased(data: MailData['sso_released'], { partnerName, when, link }: TextContext): Content {
  return {
    subject: `Single sign-on is no longer enforced for ${partnerName}`,
    heading: 'Single sign-on is no longer enforced',
    blocks: [
      text('Our staff lifted the requirement that your team signs in through your identity provider. Passwords work again.'),
      facts(['When', when(data.at)]),
      ...quote(plainLines(data.reason, 1000)),
      text('If no one at your agency requested this, contact us immediately. An admin can enforce single sign-on again.'),
      action('Single sign-on settings', link('/dashboard/settings/sso')),
    ],
    reason: 'Security emails cannot be turned off.',
  };
}

export function accountSuspended(data: MailData['account_suspended'], { partnerName, when, link }: TextContext): Content {
  const isAgency = data.accountType === 'partner';
  const name = businessName(data.accountName);
  return {
    subject: isAgency ? `The account of ${partnerName} is suspended` : `${name} is suspended`,
    heading: isAgency ? 'Your account is suspended' : `${name} is suspended`,
    blocks: [
      text(
        isAgency
          ? 'Agents accept no new events and schedules are paused for all your clients. Nothing was deleted. You can still sign in, view your bills and request reactivation.'
          : 'Its agents accept no new events and its schedules are paused. Nothing was deleted. Its users can still sign in to see why.',
      ),
      facts(['Since', when(data.at)]),
      ...quote(plainLines(data.reason ?? '', 1000)),
      action(isAgency ? 'Sign in' : 'View client', link(data.href)),
    ],
    reason: `You are receiving this email because you are an admin of ${partnerName}.`,
  };
}

export function notification(data: MailData['notification'], { partnerName, link }: TextContext): Content {
  const title = plainLine(data.title, 150);
  return {
    subject: title,
    heading: title,
    blocks: [text(plainLines(data.body, 1000)), action('View details', link(data.href))],
    reason: `You are receiving this email because you have an account with ${partnerName}. Change your email notifications in your settings.`,
  };
}

export function digest(data: MailData['digest'], { partnerName, when, link }: TextContext): Content {
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
  const count = data.total === 1 ? '1 notification' : `${data.total} notifications`;
  return {
    subject: `${partnerName}: ${count}`,
    heading: count,
    blocks: [
      text(`Your notifications from ${when(data.from)} to ${when(data.to)}:`),
      items,
      ...(data.total > shown.length ? [text(`${data.total - shown.length} more are in the portal.`)] : []),
      action('View all notifications', link(data.href)),
    ],
    reason: `You are receiving this summary because you turned it on. Change it or turn it off here: ${link(data.settingsHref)}`,
  };
}
