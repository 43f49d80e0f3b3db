import { createHmac } from 'node:crypto';
import { tokenMatches } from '../execution/token.ts';

/** An icon of the installed portal: its side in pixels, and whether the platform cuts its edges off. */
export const ICONS = {
  '192.png': { side: 192, isMaskable: false },
  '512.png': { side: 512, isMaskable: false },
  'maskable.png': { side: 512, isMaskable: true },
  'touch.png': { side: 180, isMaskable: true },
} as const;
export type IconName = keyof typeof ICONS;

/** Returns the token that stands for an agency in the addresses of its manifest and icons: a slug would show strangers which agencies exist. */
export function installToken(secret: string, partnerId: string): string {
  return `${partnerId.replaceAll('-', '')}.${sign(secret, partnerId)}`;
}

/** Returns the agency of a token; null for one that was not made here. */
export function partnerOfInstallToken(secret: string, token: string): string | null {
  const [, a, b, c, d, e, proof] = /^([\da-f]{8})([\da-f]{4})([\da-f]{4})([\da-f]{4})([\da-f]{12})\.([\w-]{22})$/.exec(token) ?? [];
  if (proof === undefined) return null;
  const partnerId = [a, b, c, d, e].join('-');
  return tokenMatches(sign(secret, partnerId), proof) ? partnerId : null;
}

function sign(secret: string, partnerId: string): string {
  return createHmac('sha256', secret).update(`install:${partnerId}`).digest().subarray(0, 16).toString('base64url');
}

/** Returns the first letter of a name as it stands on an icon. */
export function initialOf(name: string): string {
  const [first = '?'] = new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(name.trim());
  return typeof first === 'string' ? first : first.segment.toUpperCase();
}
