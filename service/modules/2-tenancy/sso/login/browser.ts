import { hashToken } from '#platform/one-time-token.ts';
import { timingSafeEqual } from 'node:crypto';
import { readCookie, setCookie } from '#platform/http/cookies.ts';

/**
 * Binds a login to the browser that started it, so a state or code from another browser is rejected and no one can be logged in by a link.
 * The marker is a cookie scoped to these routes.
 */
const COOKIE = 'sso_browser';
const MARK = /^[\w-]{43}$/;
/** Time a person has to log in at the provider. */
export const LOGIN_MS = 10 * 60_000;
/** A login that came too late is said to be late, so the marker outlives it. */
const LIFE_SECONDS = (LOGIN_MS * 1.5) / 1_000;
const TILE_COOKIE = 'sso_tile';
/** Longer than a provider takes to answer a browser it knows, shorter than a person takes to come back. */
const TILE_SECONDS = 20;

/** Returns the marker cookie; null when it is missing or malformed. */
export function readMark(cookies: string | undefined): string | null {
  const mark = readCookie(cookies, COOKIE) ?? '';
  return MARK.test(mark) ? mark : null;
}

/** Whether the browser has the marker that was hashed when the login started. */
export function isSameBrowser(cookies: string | undefined, hash: Buffer): boolean {
  const mark = readMark(cookies);
  return mark !== null && timingSafeEqual(hashToken(mark), hash);
}

/** A SAML provider posts from its own site, and only `SameSite=None` sends the cookie then; that needs https. */
export function markCookie(mark: string, baseUrl: string, protocol: 'saml' | 'oidc'): string {
  return cookie(COOKIE, mark, LIFE_SECONDS, baseUrl, protocol);
}

/** Marks a browser that a tile of the provider brought here, so that it is not sent around in a circle. */
export function tileCookie(baseUrl: string): string {
  return cookie(TILE_COOKIE, '1', TILE_SECONDS, baseUrl, 'saml');
}

/** Ends that mark: the provider has answered a request, so the next tile is another login. */
export function endTileCookie(baseUrl: string): string {
  return cookie(TILE_COOKIE, '', 0, baseUrl, 'saml');
}

export function cameByTile(cookies: string | undefined): boolean {
  return readCookie(cookies, TILE_COOKIE) === '1';
}

function cookie(name: string, value: string, seconds: number, baseUrl: string, protocol: 'saml' | 'oidc'): string {
  const sameSite = baseUrl.startsWith('https:') && protocol === 'saml' ? 'None' : 'Lax';
  return setCookie({ name, path: '/sso', sameSite }, value, seconds, baseUrl);
}
