import { html, type SafeHtml } from '@remix-run/html-template';
import type { MailBrand } from '@partner-portal/core/tenancy/brand.ts';
import type { Locale } from '@partner-portal/contract/vocabulary.ts';
import type { Messages } from '@partner-portal/messages/messages.ts';
import type { Block, Content } from './texts/content.ts';

/** Branding of the e-mail: shown in its header and footer. */
export type Branding = {
  partnerName: string;
  supportEmail: string | null;
  logoUrl: string | null;
  colours: MailBrand;
  locale: Locale;
  t: Messages['t'];
};

const INK = '#22303a';
const QUIET = '#5b6a75';
const LINE = '#dfe5e8';
const FONT = "-apple-system, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif";

/**
 * Renders the HTML part: one column of tables with inline styles, no script, no remote content but the logo. The `html` tag escapes every
 * value (docs/adr/0011-mail-templates.md).
 */
export function renderHtml({ subject, heading, blocks, reason }: Content, branding: Branding): string {
  const { partnerName, supportEmail, colours, locale } = branding;
  const card = `max-width:560px;background:#ffffff;border:1px solid ${LINE};border-top:4px solid ${colours.fill};border-radius:8px`;
  return `${html`<!doctype html>
    <html lang="${locale}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="supported-color-schemes" content="light dark" />
        <title>${subject}</title>
      </head>
      <body style="margin:0;padding:0;background:#f4f6f7;color:${INK};font-family:${FONT};font-size:16px;line-height:1.5">
        <table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="background:#f4f6f7">
          <tr>
            <td align="center" style="padding:24px 12px">
              <table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="${card}">
                <tr>
                  <td style="padding:24px 28px 0">
                    ${logo(branding)}<span style="font-size:15px;font-weight:600;color:${INK}">${partnerName}</span>
                  </td>
                </tr>
                <tr>
                  <td style="padding:20px 28px 8px">
                    <h1 style="margin:0 0 16px;font-size:22px;line-height:1.3;color:${INK}">${heading}</h1>
                    ${blocks.map((block) => renderBlock(block, branding))}
                  </td>
                </tr>
                <tr>
                  <td style="padding:16px 28px 24px;border-top:1px solid ${LINE};font-size:13px;line-height:1.5;color:${QUIET}">
                    <b style="color:${INK}">${partnerName}</b>${support(supportEmail, branding)}<br />${reason}
                  </td>
                </tr>
              </table>
            </td>
          </tr>
        </table>
      </body>
    </html> `}`;
}

function logo({ logoUrl }: Branding): SafeHtml | null {
  if (logoUrl === null) return null;
  return html`<img
    src="${logoUrl}"
    alt=""
    height="32"
    style="height:32px;max-width:180px;vertical-align:middle;margin-right:12px;border:0"
  />`;
}

function support(email: string | null, { colours: { text }, t }: Branding): SafeHtml | null {
  if (email === null) return null;
  return html`<br />${t('mail.questions')} ${link(`mailto:${encodeURI(email)}`, email, `color:${text}`)}`;
}

const link = (url: string, label: string, style: string): SafeHtml => html`<a href="${url}" style="${style}">${label}</a>`;
const breakLines = (text: string): SafeHtml[] => text.split('\n').map((line, index) => (index === 0 ? html`${line}` : html`<br />${line}`));
const paragraph = (content: SafeHtml | SafeHtml[], style = ''): SafeHtml => html`<p style="margin:0 0 16px;${style}">${content}</p>`;

function renderBlock(block: Block, { colours: { text, fill, on }, t }: Branding): SafeHtml {
  switch (block.kind) {
    case 'text':
      return paragraph(breakLines(block.text));
    case 'small':
      return paragraph(breakLines(block.text), `font-size:13px;color:${QUIET}`);
    case 'quote':
      return html`<blockquote style="margin:0 0 16px;padding:4px 0 4px 14px;border-left:3px solid ${LINE};color:${QUIET}">
        ${breakLines(block.text)}
      </blockquote>`;
    case 'facts':
      return html`<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin:0 0 16px">
        ${block.rows.map(
          ([label, value]) =>
            html`<tr>
              <td valign="top" style="padding:2px 16px 2px 0;color:${QUIET};white-space:nowrap">${label}</td>
              <td style="padding:2px 0;word-break:break-word">${breakLines(value)}</td>
            </tr>`,
        )}
      </table>`;
    case 'action': {
      const button = `display:inline-block;padding:11px 20px;border-radius:6px;background:${fill};color:${on};font-weight:600;text-decoration:none`;
      const address = link(block.url, block.url, `color:${text};word-break:break-all`);
      return html`${paragraph(link(block.url, block.label, button))}
      ${paragraph(html`${t('mail.buttonHint')}<br />${address}`, `font-size:13px;color:${QUIET}`)}`;
    }
    case 'link':
      return paragraph(link(block.url, block.label, `color:${QUIET}`), 'font-size:13px');
    case 'items':
      return html`<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="margin:0 0 16px">
        ${block.items.map((item) => renderItem(item, text))}
      </table>`;
  }
}

function renderItem({ title, body, at, url }: Extract<Block, { kind: 'items' }>['items'][number], colour: string): SafeHtml {
  const head = url === null ? title : link(url, title, `color:${colour};font-weight:600`);
  const lines = body === '' ? null : html`<br />${breakLines(body)}`;
  return html`<tr>
    <td style="padding:10px 0;border-bottom:1px solid ${LINE}">
      ${head}${lines}<br /><span style="font-size:13px;color:${QUIET}">${at}</span>
    </td>
  </tr>`;
}
