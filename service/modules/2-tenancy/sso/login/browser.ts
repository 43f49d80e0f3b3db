import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/**
 * A login through a provider is bound to the browser it began in: a state or code that somebody else brings is worth nothing,
 * and nobody can be signed in as another person by a link. The mark lives in a cookie that only these routes see.
 */
const COOKIE = 'sso_browser';
const MARK = /^[\w-]{43}$/;
const LIFE_SECONDS = 900;

/** 32 random bytes as text. */
export function newToken(): string {
  return randomBytes(32).toString('base64url');
}

export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

/** The mark the browser sent; null when it sent none that could be ours. */
export function readMark(cookies: string | undefined): string | null {
  const found = (cookies ?? '')
    .split(';')
    .map((part) => part.trim().split('='))
    .find(([name]) => name === COOKIE);
  const mark = found?.[1] ?? '';
  return MARK.test(mark) ? mark : null;
}

/** True when the browser carries the mark that was hashed when it left. */
export function isSameBrowser(cookies: string | undefined, hash: Buffer): boolean {
  const mark = readMark(cookies);
  return mark !== null && timingSafeEqual(hashToken(mark), hash);
}

/** A SAML provider posts its response from its own site, and only `SameSite=None` lets the mark come along; that needs https. */
export function markCookie(mark: string, baseUrl: string, protocol: 'saml' | 'oidc'): string {
  const isSecure = baseUrl.startsWith('https:');
  const sameSite = isSecure && protocol === 'saml' ? 'None' : 'Lax';
  return `${COOKIE}=${mark}; Path=/sso; Max-Age=${LIFE_SECONDS}; HttpOnly; SameSite=${sameSite}${isSecure ? '; Secure' : ''}`;
}

/** A path of this portal to return to; null for anything that could lead elsewhere. */
export function ownPath(baseUrl: string, given: string | null | undefined): string | null {
  if (!given || !/^\/(?![/\\])/.test(given) || !URL.canParse(given, baseUrl)) return null;
  const url = new URL(given, baseUrl);
  return url.origin === new URL(baseUrl).origin ? `${url.pathname}${url.search}` : null;
}
