/**
 * Returns the path of this portal to open after a login, with its query and fragment; null for anything else. The path is judged as a browser
 * reads it, once dots are resolved: `/.//evil.test` names another host.
 */
export function returnPath(baseUrl: string, given: string | null | undefined): string | null {
  if (!given?.startsWith('/') || !URL.canParse(given, baseUrl)) return null;
  const url = new URL(given, baseUrl);
  if (url.origin !== new URL(baseUrl).origin) return null;
  const path = `${url.pathname}${url.search}${url.hash}`;
  // Characters that a browser would read as the start of an address.
  return /^\/(?![/\\])/.test(path) ? path : null;
}
