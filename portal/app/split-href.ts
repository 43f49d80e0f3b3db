/** Splits an internal path into path and parameters for the router. */
export function splitHref(href: string): { to: string; search: Record<string, string> } {
  const [to = '', query] = href.split('?');
  return { to, search: Object.fromEntries(new URLSearchParams(query)) };
}
