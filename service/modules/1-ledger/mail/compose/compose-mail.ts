import { deriveMailBrand } from '@partner-portal/core/tenancy/brand.ts';
import type { NewMail } from './kinds.ts';
import { renderHtml } from './render-html.ts';
import { renderText } from './render-text.ts';
import type { MailBody } from '../delivery/seal-body.ts';
import type { Voice } from './texts/content.ts';
import { textOf } from './texts/index.ts';
import { plainLine } from './texts/plain.ts';

/** Whose face a mail wears. */
export type Brand = {
  name: string;
  logoUrl: string | null;
  brandColor: string | null;
  supportEmail: string | null;
  timezone: string;
  /** Where links point. */
  baseUrl: string;
};

const SUBJECT_MAX = 150;

/** A mail as it will leave: words, brand and links put together. Pure: the same order makes the same mail. */
export function composeMail(brand: Brand, mail: NewMail): MailBody {
  const agency = plainLine(brand.name, 80) || 'Your portal';
  const voice: Voice = {
    agency,
    when: (at) => formatWhen(at, brand.timezone),
    link: (href) => linkInside(brand.baseUrl, href),
  };
  const content = textOf(mail, voice);
  const subject = plainLine(content.subject, SUBJECT_MAX);
  const supportEmail = brand.supportEmail === null ? null : plainLine(brand.supportEmail, 254);
  const face = { agency, supportEmail, logoUrl: logoOf(brand), colours: deriveMailBrand(brand.brandColor) };
  const links = content.blocks.flatMap((block) => (block.kind === 'action' ? [block.url] : []));
  return {
    fromName: agency,
    replyTo: supportEmail,
    subject,
    text: renderText(content, face),
    html: renderHtml({ ...content, subject }, face),
    links,
  };
}

/** An address of ours: a path of the portal, or a whole address below the base. Another house's is a fault of ours, not a link. */
function linkInside(baseUrl: string, href: string): string {
  const url = new URL(href, `${baseUrl}/`);
  if (url.origin !== new URL(baseUrl).origin) throw new Error('A mail may link to this portal only.');
  return url.href;
}

/** Mail programs fetch the logo themselves, so it needs a whole address; anything but http and https is left out. */
function logoOf({ logoUrl, baseUrl }: Brand): string | null {
  if (logoUrl === null || !URL.canParse(logoUrl, `${baseUrl}/`)) return null;
  const url = new URL(logoUrl, `${baseUrl}/`);
  return url.protocol === 'https:' || url.protocol === 'http:' ? url.href : null;
}

function formatWhen(at: Date, timeZone: string): string {
  return new Intl.DateTimeFormat('en-US', {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZone,
    timeZoneName: 'short',
  }).format(at);
}
