/**
 * Splits an internal path into path and parameters for the router. A path with parameters names what its page shows, such as a request, which may belong to
 * another client than the chosen one: unless it names a client itself, none is chosen there (`retainSearchParams` would keep the present one).
 */
export function splitHref(href: string): { to: string; search: Record<string, string | undefined> } {
  const [to = '', query] = href.split('?');
  return { to, search: query === undefined ? {} : { client: undefined, ...Object.fromEntries(new URLSearchParams(query)) } };
}
