import { hasAddressOrDomain } from '../people/name.ts';
import type { ConfigValue, Json, JsonObject, Template } from '../template/types.ts';

/** Which links a visitor may have an agent send: those to pages of the business. Rule: docs/behaviour/conversations.md. */

/** A business's own addresses; `host` is the agency's own domain. */
export type OwnPages = {
  website: string | null;
  bookingUrl: string | null;
  reviewUrl: string | null;
  host: string | null;
  config: { readonly [key: string]: unknown };
};

/** Returns the addresses that are the business's own: website, booking and review link, links of the agent's settings, its agency's domain. */
export function ownAddresses(template: Pick<Template, 'config'>, pages: OwnPages): string[] {
  const settings = template.config.filter(({ type }) => type === 'url').map(({ key }) => pages.config[key] as ConfigValue | undefined); // checked when it was saved
  const given = [pages.website, pages.bookingUrl, pages.reviewUrl, pages.host, ...settings];
  return given.filter((one): one is string => typeof one === 'string' && one.trim() !== '');
}

/**
 * Returns the visitor's values with links as an URL parser reads them, or the key of one that links elsewhere. A short text may hold no link at all:
 * it stands in messages to others. The business's address with a path, as on a shared host, counts from that path on; one without counts with its subdomains.
 */
export function withOwnLinks(
  template: Pick<Template, 'inputs'>,
  input: JsonObject,
  addresses: readonly string[],
): { input: JsonObject } | { foreign: string } {
  const entries: [string, Json][] = [];
  for (const [key, value] of Object.entries(input)) {
    const type = template.inputs.find((one) => one.key === key)?.type;
    const link = type === 'url' && typeof value === 'string' ? ownLink(value, addresses) : value;
    if (link === null || (type === 'text' && typeof value === 'string' && hasAddressOrDomain(value))) return { foreign: key };
    entries.push([key, link]);
  }
  return { input: Object.fromEntries(entries) };
}

function ownLink(text: string, addresses: readonly string[]): string | null {
  const link = URL.parse(text);
  if (link === null || !/^https?:$/.test(link.protocol) || link.username !== '' || link.password !== '') return null;
  return addresses.some((address) => isBelow(link, address)) ? link.href : null;
}

function isBelow(link: URL, address: string): boolean {
  const own = URL.parse(/^https?:\/\//i.test(address) ? address : `https://${address}`);
  if (own === null || own.hostname === '' || link.port !== own.port) return false;
  const host = own.hostname.replace(/^www\./, '');
  const path = own.pathname.replace(/\/+$/, '');
  const isHost = link.hostname === host || link.hostname === `www.${host}`;
  if (path === '') return isHost || link.hostname.endsWith(`.${host}`);
  return isHost && (link.pathname === path || link.pathname.startsWith(`${path}/`));
}
