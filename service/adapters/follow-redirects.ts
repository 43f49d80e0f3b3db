import type { OutboundAnswer, OutboundCall, SafeFetch } from '#platform/outbound/safe-fetch.ts';

const HOPS_MAX = 5;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/** Thrown where redirects lead nowhere; the message is a sentence for an admin. */
export class RedirectFault extends Error {}

/**
 * Reads a public document at an address that may have moved. Every hop passes the rules for outbound addresses as the first one does, none leads
 * from https to http. Headers go along, so that `call` must hold no secret. Throws `OutboundError`, or `RedirectFault`.
 */
export async function getFollowing(fetch: Pick<SafeFetch, 'call'>, call: OutboundCall): Promise<OutboundAnswer> {
  let url = call.url;
  for (let hops = 0; hops <= HOPS_MAX; hops += 1) {
    const answer = await fetch.call({ ...call, url });
    const { location } = answer.headers;
    if (!REDIRECTS.has(answer.status) || location === undefined) return answer;
    if (!URL.canParse(location, url)) throw new RedirectFault(`${call.url} leads to an address that cannot be read.`);
    const next = new URL(location, url);
    if (url.startsWith('https:') && next.protocol !== 'https:')
      throw new RedirectFault(`${call.url} leads from https to ${next.protocol}//${next.host}.`);
    url = next.href;
  }
  throw new RedirectFault(`${call.url} is redirected more than ${HOPS_MAX} times.`);
}
