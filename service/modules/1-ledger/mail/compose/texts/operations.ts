import type { MailData } from '../kinds.ts';
import { action, type Block, type Content, facts, quote, text, type Voice } from './content.ts';
import { plainLine, plainLines } from './plain.ts';

/** Whoever the rule names: admins unless an admin chose others. */
const RECIPIENT = (agency: string): string =>
  `You get this mail because alerts of ${agency} are sent to you. What is mailed to you is chosen in your profile.`;
const SHOWN_MAX = 20;

export function alertOpened(data: MailData['alert_opened'], { agency, when, link }: Voice): Content {
  const subject = plainLine(data.subject, 100);
  return {
    subject: `Alert: ${subject}`,
    heading: subject,
    blocks: [
      text(plainLines(data.message, 1000)),
      facts(['Severity', plainLine(data.severity, 40)], ['Since', when(data.at)]),
      action('Look at the alert', link(data.href)),
      text('You will hear from us again when it is over.'),
    ],
    reason: RECIPIENT(agency),
  };
}

export function alertResolved(data: MailData['alert_resolved'], { agency, when, link }: Voice): Content {
  const subject = plainLine(data.subject, 100);
  return {
    subject: `Resolved: ${subject}`,
    heading: `Resolved: ${subject}`,
    blocks: [
      text(plainLines(data.message, 1000)),
      facts(['From', when(data.openedAt)], ['Until', when(data.at)]),
      action('Look at the alert', link(data.href)),
    ],
    reason: RECIPIENT(agency),
  };
}

export function webhookFailing(data: MailData['webhook_failing'], { agency, link }: Voice): Content {
  const error = plainLine(data.lastError ?? '', 300);
  return {
    subject: `A webhook of ${agency} keeps failing`,
    heading: 'A webhook keeps failing',
    blocks: [
      text(`${data.failures} deliveries in a row did not arrive at this endpoint. It stays active: we go on trying each new event.`),
      facts(['Endpoint', plainLine(data.url, 300)], ...(error === '' ? [] : [['Last error', error] as const])),
      text('When the receiver works again, what was missed can be sent once more from the same page.'),
      action('Look at the deliveries', link(data.href)),
    ],
    reason: RECIPIENT(agency),
  };
}

export function ssoReleased(data: MailData['sso_released'], { agency, when, link }: Voice): Content {
  return {
    subject: `Single sign-on is no longer enforced for ${agency}`,
    heading: 'Single sign-on is no longer enforced',
    blocks: [
      text('Our staff lifted the rule that your team signs in through your identity provider only. Passwords work again.'),
      facts(['When', when(data.at)]),
      ...quote(plainLines(data.reason, 1000)),
      text('If nobody of your agency asked for this, tell us at once. An admin can switch it on again.'),
      action('Single sign-on settings', link('/dashboard/settings/sso')),
    ],
    reason: 'Mails about the safety of your account cannot be switched off.',
  };
}

export function accountSuspended(data: MailData['account_suspended'], { agency, when, link }: Voice): Content {
  const isAgency = data.accountType === 'partner';
  const name = plainLine(data.accountName, 80);
  return {
    subject: isAgency ? `The account of ${agency} is suspended` : `${name} is suspended`,
    heading: isAgency ? 'Your account is suspended' : `${name} is suspended`,
    blocks: [
      text(
        isAgency
          ? 'Agents take no more events and schedules are paused, for all your clients. Nothing was deleted. You can still sign in, read your bills and ask for reactivation.'
          : 'Its agents take no more events and its schedules are paused. Nothing was deleted. Its users can still sign in and read why.',
      ),
      facts(['Since', when(data.at)]),
      ...quote(plainLines(data.reason ?? '', 1000)),
      action(isAgency ? 'Sign in' : 'Look at the client', link(data.href)),
    ],
    reason: `You get this mail as an admin of ${agency}.`,
  };
}

export function notification(data: MailData['notification'], { agency, link }: Voice): Content {
  const title = plainLine(data.title, 150);
  return {
    subject: title,
    heading: title,
    blocks: [text(plainLines(data.body, 1000)), action('Look at it', link(data.href))],
    reason: `You get this mail as a user of ${agency}. What is mailed to you is chosen in your settings.`,
  };
}

export function digest(data: MailData['digest'], { agency, when, link }: Voice): Content {
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
  const what = data.total === 1 ? '1 notification' : `${data.total} notifications`;
  return {
    subject: `${agency}: ${what}`,
    heading: what,
    blocks: [
      text(`What happened from ${when(data.from)} to ${when(data.to)}:`),
      items,
      ...(data.total > shown.length ? [text(`${data.total - shown.length} more are in the portal.`)] : []),
      action('See all notifications', link(data.href)),
    ],
    reason: `You get this summary because you chose it. Change or stop it here: ${link(data.settingsHref)}`,
  };
}
