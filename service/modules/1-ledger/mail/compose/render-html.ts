import type { MailBrand } from '@partner-portal/core/tenancy/brand.ts';
import type { Block, Content } from './texts/content.ts';

/** Who writes: shown at the head and the foot of every mail. */
export type Face = { agency: string; supportEmail: string | null; logoUrl: string | null; colours: MailBrand };

const INK = '#22303a';
const QUIET = '#5b6a75';
const LINE = '#dfe5e8';
const FONT = "-apple-system, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif";

/** Text as HTML text or as the value of a quoted attribute. Everything that did not come from this file passes here. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => ENTITIES[sign] ?? '');
}
const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** The rich half of a mail: one column, styles inline, no script, nothing fetched but the agency's logo. */
export function renderHtml({ subject, heading, blocks, reason }: Content, face: Face): string {
  const { agency, supportEmail, colours } = face;
  const support =
    supportEmail === null
      ? ''
      : `<br>Questions? <a href="mailto:${escapeHtml(encodeURI(supportEmail))}" style="color:${colours.text}">${escapeHtml(supportEmail)}</a>`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escapeHtml(subject)}</title>
</head>
<body style="margin:0;padding:0;background:#f4f6f7;color:${INK};font-family:${FONT};font-size:16px;line-height:1.5">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="background:#f4f6f7">
<tr><td align="center" style="padding:24px 12px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width:560px;background:#ffffff;border:1px solid ${LINE};border-top:4px solid ${colours.fill};border-radius:8px">
<tr><td style="padding:24px 28px 0">${logo(face)}<span style="font-size:15px;font-weight:600;color:${INK}">${escapeHtml(agency)}</span></td></tr>
<tr><td style="padding:20px 28px 8px"><h1 style="margin:0 0 16px;font-size:22px;line-height:1.3;color:${INK}">${escapeHtml(heading)}</h1>
${blocks.map((block) => blockHtml(block, colours)).join('\n')}</td></tr>
<tr><td style="padding:16px 28px 24px;border-top:1px solid ${LINE};font-size:13px;line-height:1.5;color:${QUIET}"><b style="color:${INK}">${escapeHtml(agency)}</b>${support}<br>${escapeHtml(reason)}</td></tr>
</table>
</td></tr>
</table>
</body>
</html>
`;
}

function logo({ logoUrl }: Face): string {
  if (logoUrl === null) return '';
  return `<img src="${escapeHtml(logoUrl)}" alt="" height="32" style="height:32px;max-width:180px;vertical-align:middle;margin-right:12px;border:0">`;
}

const lines = (text: string): string => escapeHtml(text).replaceAll('\n', '<br>');
const paragraph = (inner: string, style = ''): string => `<p style="margin:0 0 16px;${style}">${inner}</p>`;

function blockHtml(block: Block, { text, fill, on }: MailBrand): string {
  switch (block.kind) {
    case 'text':
      return paragraph(lines(block.text));
    case 'small':
      return paragraph(lines(block.text), `font-size:13px;color:${QUIET}`);
    case 'quote':
      return `<blockquote style="margin:0 0 16px;padding:4px 0 4px 14px;border-left:3px solid ${LINE};color:${QUIET}">${lines(block.text)}</blockquote>`;
    case 'facts':
      return `<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin:0 0 16px">${block.rows
        .map(
          ([label, value]) =>
            `<tr><td valign="top" style="padding:2px 16px 2px 0;color:${QUIET};white-space:nowrap">${escapeHtml(label)}</td><td style="padding:2px 0;word-break:break-word">${lines(value)}</td></tr>`,
        )
        .join('')}</table>`;
    case 'action':
      return `${paragraph(
        `<a href="${escapeHtml(block.url)}" style="display:inline-block;padding:11px 20px;border-radius:6px;background:${fill};color:${on};font-weight:600;text-decoration:none">${escapeHtml(block.label)}</a>`,
      )}
${paragraph(`If the button does not work, open this address:<br><a href="${escapeHtml(block.url)}" style="color:${text};word-break:break-all">${escapeHtml(block.url)}</a>`, `font-size:13px;color:${QUIET}`)}`;
    case 'items':
      return `<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="margin:0 0 16px">${block.items.map((item) => itemHtml(item, text)).join('')}</table>`;
  }
}

function itemHtml({ title, body, at, url }: Extract<Block, { kind: 'items' }>['items'][number], colour: string): string {
  const head =
    url === null ? escapeHtml(title) : `<a href="${escapeHtml(url)}" style="color:${colour};font-weight:600">${escapeHtml(title)}</a>`;
  return `<tr><td style="padding:10px 0;border-bottom:1px solid ${LINE}">${head}${body === '' ? '' : `<br>${lines(body)}`}<br><span style="font-size:13px;color:${QUIET}">${escapeHtml(at)}</span></td></tr>`;
}
