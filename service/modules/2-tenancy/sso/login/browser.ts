import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/**
 * Binds a login to the browser that started it, so a state or code from another browser is rejected and no one can be signed in by a link.
 * The marker is a cookie scoped to these routes.
 */
const COOKIE = 'sso_browser';
const MARK = /^[\w-]{43}$/;
const LIFE_SECONDS = 900;

/** Returns 32 random bytes as text. */
export function newToken(): string {
  return randomBytes(32).toString('base64url');
}

export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

/** Returns the marker cookie; null when it is missing or malformed. */
export function readMark(cookies: string | undefined): string | null {
  const found = (cookies ?? '')
    .split(';')
    .map((part) => part.trim().split('='))
    .find(([name]) => name === COOKIE);
  const mark = found?.[1] ?? '';
  return MARK.test(mark) ? mark : null;
}

/** Whether the browser has the marker that was hashed when the login started. */
export function isSameBrowser(cookies: string | undefined, hash: Buffer): boolean {
  const mark = readMark(cookies);
  return mark !== null && timingSafeEqual(hashToken(mark), hash);
}

/** A SAML provider posts from its own site, and only `SameSite=None` sends the cookie then; that needs https. */
export function markCookie(mark: string, baseUrl: string, protocol: 'saml' | 'oidc'): string {
  const isSecure = baseUrl.startsWith('https:');
  const sameSite = isSecure && protocol === 'saml' ? 'None' : 'Lax';
  return `${COOKIE}=${mark}; Path=/sso; Max-Age=${LIFE_SECONDS}; HttpOnly; SameSite=${sameSite}${isSecure ? '; Secure' : ''}`;
}

/** Returns a path of this portal to return to; null for anything else. */
export function ownPath(baseUrl: string, given: string | null | undefined): string | null {
  if (!given || !/^\/(?![/\\])/.test(given) || !URL.canParse(given, baseUrl)) return null;
  const url = new URL(given, baseUrl);
  return url.origin === new URL(baseUrl).origin ? `${url.pathname}${url.search}` : null;
}
