import { setTimeout as delay } from 'node:timers/promises';
import { checkUrl, type UrlProblem } from '@partner-portal/core/network/address.ts';
import { OutboundError } from '#platform/outbound/outbound-error.ts';
import type { SafeFetch } from '#platform/outbound/safe-fetch.ts';
import { refuse, refuseField } from '#platform/refuse.ts';

const PROBLEMS: Readonly<Record<Exclude<UrlProblem, 'private_address'>, { code: string; message: string }>> = {
  unreadable: { code: 'invalid_url', message: 'This is not a URL. Enter the full address, for example https://crm.example.com/in/agents.' },
  scheme: { code: 'invalid_scheme', message: 'Use a URL that starts with https:// or http://.' },
  userinfo: { code: 'userinfo_not_allowed', message: 'Remove the user name and password from the URL. Each request is signed instead.' },
  host: { code: 'invalid_host', message: 'The URL has no host.' },
  port: { code: 'port_not_allowed', message: 'This port is reserved for another kind of service. Use 443, 80 or a port from 1024.' },
};
const PRIVATE = 'This address is not reachable from the internet.';
const UNKNOWN_NAME = 'The host name could not be found. Check its spelling and that its DNS record is public.';
const LOOKUP_MS = 8_000;

/**
 * Refuses a URL that deliveries may not call: 422 `private_address` or `validation_failed` with the field `url`. Resolves the host name,
 * so never call it inside a transaction.
 */
export async function requireUrl(outbound: Pick<SafeFetch, 'check'>, url: string): Promise<void> {
  const asked = new AbortController();
  try {
    await Promise.race([outbound.check(url), giveUp(asked.signal)]);
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    refuseUrl(url, error);
  } finally {
    asked.abort();
  }
}

function refuseUrl(url: string, { reason }: OutboundError): never {
  if (reason === 'private_address')
    return refuse('private_address', { detail: PRIVATE, errors: [{ field: 'url', code: 'private_address', message: PRIVATE }] });
  if (reason === 'bad_address') {
    const checked = checkUrl(url);
    const { code, message } = PROBLEMS[checked.ok || checked.problem === 'private_address' ? 'unreadable' : checked.problem];
    return refuseField('url', code, message);
  }
  return refuseField('url', 'name_not_found', UNKNOWN_NAME);
}

/** Bounds the time a resolver may take. */
async function giveUp(signal: AbortSignal): Promise<never> {
  await delay(LOOKUP_MS, undefined, { signal });
  throw new OutboundError('timeout', false);
}
