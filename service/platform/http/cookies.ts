/**
 * A cookie that scripts cannot read, for the paths below `path`. Over https it is named `__Secure-…`: browsers accept that name from https alone, so a page in the
 * clear cannot set one. (`__Host-` needs the path `/`.) Development over http has no prefix.
 */
export type CookieShape = { name: string; path: string; sameSite: 'Strict' | 'Lax' | 'None' };

const SECURE = '__Secure-';

/** Returns the header that sets the cookie; `value` is empty and `seconds` 0 to end it. */
export function setCookie({ name, path, sameSite }: CookieShape, value: string, seconds: number, baseUrl: string): string {
  const isSecure = baseUrl.startsWith('https:');
  const attributes = `Path=${path}; Max-Age=${seconds}; HttpOnly; SameSite=${sameSite}${isSecure ? '; Secure' : ''}`;
  return `${isSecure ? SECURE : ''}${name}=${value}; ${attributes}`;
}

/** Returns the value of the cookie; undefined without one. A cookie without the prefix, as earlier versions set it, is read until it expires. */
export function readCookie(cookies: string | undefined, name: string): string | undefined {
  const parts = (cookies ?? '').split(';').map((part) => part.trim());
  const found = [`${SECURE}${name}=`, `${name}=`].flatMap((start) =>
    parts.filter((part) => part.startsWith(start)).map((part) => part.slice(start.length)),
  );
  return found[0];
}
