import { plural } from '../../ui/text/format.ts';
import { shortUrl } from './words.ts';

type About = { url: string; partnerName: string; failureStreak: number; failed24h: number; isActive: boolean };

/** A mail to whoever looks after an endpoint, as a link that opens the sender's own program with the facts filled in. */
export function letterTo(email: string, { url, partnerName, failureStreak, failed24h, isActive }: About): string {
  const isFailing = isActive && failureStreak > 0;
  const subject = `Your webhook endpoint ${shortUrl(url)}`;
  const body = [
    `Hello ${partnerName},`,
    '',
    isFailing
      ? `your webhook endpoint does not accept our events: ${plural(failureStreak, 'delivery', 'deliveries')} in a row failed, ${failed24h} in the last 24 hours.`
      : 'this is about your webhook endpoint.',
    '',
    url,
    '',
    ...(isFailing
      ? ['In the portal, Settings, Webhooks shows each attempt with its reason. Once it answers again, Recover sends what it missed.', '']
      : []),
  ].join('\r\n');
  return `mailto:${encodeURIComponent(email)}?subject=${encodeURIComponent(subject)}&body=${encodeURIComponent(body)}`;
}
