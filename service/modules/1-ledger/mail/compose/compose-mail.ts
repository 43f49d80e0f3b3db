import { deriveMailBrand } from '@partner-portal/core/tenancy/brand.ts';
import { unlinked } from '@partner-portal/core/people/name.ts';
import { messagesFor } from '@partner-portal/messages/all.ts';
import { formatWhen } from '@partner-portal/messages/when.ts';
import { IS_TRANSLATED, type NewMail } from './kinds.ts';
import { renderHtml } from './render-html.ts';
import { renderText } from './render-text.ts';
import type { TextContext } from './texts/content.ts';
import { contentOf } from './texts/index.ts';
import { plainLine } from './texts/plain.ts';

/** Branding of the e-mail. */
export type Brand = {
  name: string;
  logoUrl: string | null;
  brandColor: string | null;
  supportEmail: string | null;
  timezone: string;
  /** Domain of the sending address, shown behind the agency's name; null for the platform's own mail and without a transport. */
  viaDomain: string | null;
  /** Base of every link. */
  baseUrl: string;
  /** PUBLIC_BASE_URL, when the base is another: links below it are moved to the base. */
  mainBaseUrl?: string;
};

/** A mail as it will be sent. Composed when it is queued, so later changes of branding or texts do not affect it. */
export type MailBody = {
  fromName: string;
  replyTo: string | null;
  subject: string;
  text: string;
  html: string;
  links: string[];
  /** Absent in bodies of earlier versions. */
  listUnsubscribe?: string | null;
};

const SUBJECT_MAX = 150;

/** Returns the mail as it will be sent, in the language of a tag where its kind is translated. Pure: the same input gives the same mail. */
export function composeMail(brand: Brand, mail: NewMail, language: string | null = null): MailBody {
  const { locale, tag, t } = messagesFor(IS_TRANSLATED[mail.kind] ? language : null);
  const senderName = plainLine(brand.name, 80) || 'Your portal';
  const partnerName = unlinked(senderName);
  const context: TextContext = {
    partnerName,
    when: (at) => formatWhen(at, mail.timezone ?? brand.timezone, { locale, tag }),
    link: (href) => linkInside(brand, href),
    t,
    tag,
  };
  const content = contentOf(mail, context);
  const subject = plainLine(content.subject, SUBJECT_MAX);
  const supportEmail = brand.supportEmail === null ? null : plainLine(brand.supportEmail, 254);
  const branding = { partnerName, supportEmail, logoUrl: logoUrlOf(brand), colours: deriveMailBrand(brand.brandColor), locale, t };
  const links = content.blocks.flatMap((block) => (block.kind === 'action' || block.kind === 'link' ? [block.url] : []));
  return {
    // The address is the platform's, and the name must not look as if it were the agency's own.
    fromName: brand.viaDomain === null ? senderName : `${senderName} via ${brand.viaDomain}`,
    replyTo: supportEmail,
    subject,
    text: renderText(content, branding),
    html: renderHtml({ ...content, subject }, branding),
    links,
    listUnsubscribe: mail.listUnsubscribe ? linkInside(brand, mail.listUnsubscribe.url) : null,
  };
}

/** Resolves a path of the portal or an address below the base. Throws for any other origin, which would be a bug. */
function linkInside({ baseUrl, mainBaseUrl = baseUrl }: Pick<Brand, 'baseUrl' | 'mainBaseUrl'>, href: string): string {
  const base = new URL(baseUrl);
  const url = new URL(href, `${baseUrl}/`);
  if (url.origin === base.origin) return url.href;
  if (url.origin !== new URL(mainBaseUrl).origin) throw new Error('A mail may link to this portal only.');
  return new URL(`${url.pathname}${url.search}${url.hash}`, base).href;
}

/** Mail clients fetch the logo, so it needs an absolute address; only http and https are allowed. */
function logoUrlOf({ logoUrl, baseUrl }: Brand): string | null {
  if (logoUrl === null || !URL.canParse(logoUrl, `${baseUrl}/`)) return null;
  const url = new URL(logoUrl, `${baseUrl}/`);
  return url.protocol === 'https:' || url.protocol === 'http:' ? url.href : null;
}
