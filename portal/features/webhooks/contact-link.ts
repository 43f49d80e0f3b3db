import { plural } from '../../ui/text/format.ts';
import { shortUrl } from './labels.ts';

type About = { url: string; partnerName: string; failureStreak: number; failed24h: number; isActive: boolean };

/** Returns a mailto link to an endpoint's contact with the facts filled in. */
export function contactLink(email: string, { url, partnerName, failureStreak, failed24h, isActive }: About): string {
  const isFailing = isActive && failureStreak > 0;
  const subject = `Your webhook endpoint ${shortUrl(url)}`;
  const body = [
    `Hello ${partnerName},`,
    '',
    isFailing
      ? `your webhook endpoint does not accept our events: the last ${plural(failureStreak, 'delivery', 'deliveries')} failed, ${failed24h} in the last 24 hours.`
      : 'this is about your webhook endpoint.',
    '',
    url,
    '',
    ...(isFailing
      ? [
          'In the portal, Settings, Webhooks shows each attempt with its reason. Once it responds again, use Recover to send the events it missed.',
          '',
        ]
      : []),
  ].join('\r\n');
  return `mailto:${encodeURIComponent(email)}?subject=${encodeURIComponent(subject)}&body=${encodeURIComponent(body)}`;
}
