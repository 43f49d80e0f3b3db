import { deriveBrand } from '@partner-portal/core/tenancy/brand.ts';
import type { OwnHost } from './own-host.ts';

/** Id of the element from which the portal knows on whose host it is (portal/app/own-host.ts). */
const ELEMENT = 'own-host';
const COLOUR = /^#[0-9a-f]{6}$/i;
const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/**
 * Puts the tenant's name, icon and colours into the page of the portal, so that they are there before any script has run. What people typed
 * is escaped for the place where it stands.
 */
export function brandPage(html: string, { name, logoUrl, logoAlt, brandColor, manifestUrl, touchIconUrl }: OwnHost): string {
  const colour = brandColor !== null && COLOUR.test(brandColor) ? brandColor : null;
  // A closing tag in it would end the element.
  const data = JSON.stringify({ name, logoUrl, logoAlt, brandColor: colour }).replace(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  const head = [
    `<title>${escape(name)}</title>`,
    `<meta name="description" content="Log in to see what ${escape(name)} does for your business." />`,
    ...(colour === null ? [] : [`<meta name="theme-color" content="${colour}" />`, `<style>body{${variables(colour)}}</style>`]),
    `<link rel="manifest" href="${escape(manifestUrl)}" />`,
    `<link rel="apple-touch-icon" href="${escape(touchIconUrl)}" />`,
    `<script type="application/json" id="${ELEMENT}">${data}</script>`,
  ].join('\n    ');
  return html
    .replace(/<meta name="description"[^>]*>\s*/, '')
    .replace(/<title>[^<]*<\/title>/, () => head)
    .replace(/<link rel="icon"[^>]*>/, () =>
      logoUrl === null ? '<link rel="icon" href="data:," />' : `<link rel="icon" href="${escape(logoUrl)}?size=icon" />`,
    )
    .replace('<body>', '<body data-interface="client">');
}

function variables(colour: string): string {
  const { text, fill, on, wash } = deriveBrand(colour);
  return `--color-brand:${text};--color-brand-fill:${fill};--color-on-brand:${on};--color-brand-wash:${wash}`;
}

function escape(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? '');
}
