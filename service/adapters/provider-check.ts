import { type CredentialData, sendableData } from '@partner-portal/core/credential/credential.ts';
import { PROVIDER_RULES, type StoredProvider } from '@partner-portal/core/credential/provider-rules.ts';
import { cleanKey, keyFault } from '@partner-portal/core/credential/key-text.ts';
import { OutboundError } from '#platform/outbound/outbound-error.ts';
import type { OutboundAnswer, SafeFetch } from '#platform/outbound/safe-fetch.ts';
import type { SqlProblem, TenantSql } from './tenant-sql.ts';

/**
 * `ok` is null when the provider said nothing about the key: it limits requests, fails, or cannot be reached. `message` is a sentence for the
 * customer; `reason` says why a SQL database could not be read.
 */
export type CheckOutcome = { ok: boolean | null; message: string; reason?: SqlProblem['reason'] };

/**
 * Checks whether a provider accepts a key of a partner, by the cheapest read-only call. Never throws for errors of the provider.
 */
export type ProviderCheck = <P extends StoredProvider>(partnerId: string, provider: P, data: CredentialData[P]) => Promise<CheckOutcome>;

/** Base URL of each HTTP provider, without a trailing slash. */
export type ProviderBaseUrls = { [P in Exclude<StoredProvider, 'postgres'>]: string };

const PUBLIC_URLS: ProviderBaseUrls = {
  openai: 'https://api.openai.com',
  anthropic: 'https://api.anthropic.com',
  calcom: 'https://api.cal.com',
  resend: 'https://api.resend.com',
  twilio: 'https://api.twilio.com',
};

/** Returns the configured addresses; else the sandbox's (`http://127.0.0.1:port`, null when it is off), else the providers' public addresses. */
export function providerBaseUrls(
  configured: { readonly [P in keyof ProviderBaseUrls]: string | null },
  sandboxUrl: string | null,
): ProviderBaseUrls {
  const of = (provider: keyof ProviderBaseUrls): string =>
    (configured[provider] ?? (sandboxUrl === null ? PUBLIC_URLS[provider] : `${sandboxUrl}/${provider}`)).replace(/\/+$/, '');
  return { openai: of('openai'), anthropic: of('anthropic'), calcom: of('calcom'), resend: of('resend'), twilio: of('twilio') };
}

type Call = { path: string; headers: { [name: string]: string } };

const TIMEOUT_MS = 10_000;
const ANSWER_BYTES_MAX = 16 * 1024;

export function createProviderCheck(deps: {
  fetch: Pick<SafeFetch, 'call'>;
  baseUrls: ProviderBaseUrls;
  tenantSql: TenantSql;
}): ProviderCheck {
  return async (partnerId, provider, data) => {
    const { title } = PROVIDER_RULES[provider];
    if ('host' in data) {
      const read = await deps.tenantSql.query(partnerId, data, 'select 1', [], { rowsMax: 1, timeoutMs: TIMEOUT_MS });
      if (read.ok) return { ok: true, message: 'The database answered.' };
      return { ok: read.reason === 'unreachable' || read.reason === 'timeout' ? null : false, message: read.message, reason: read.reason };
    }
    // A key of an earlier version may hold what no header carries; the call would fail as if the provider could not be reached.
    const fault = keyFault(cleanKey('accountSid' in data ? data.authToken : data.apiKey));
    if (fault !== null) return { ok: false, message: `This is no key of ${title}. ${fault} Save the key again.` };
    const { path, headers } = 'accountSid' in data ? twilioCall(sendableData<'twilio'>(data)) : keyCall(provider, cleanKey(data.apiKey));
    const bases: { readonly [provider: string]: string } = deps.baseUrls;
    try {
      const answer = await deps.fetch.call({
        method: 'GET',
        url: `${bases[provider] ?? ''}${path}`,
        headers,
        timeoutMs: TIMEOUT_MS,
        answerBytesMax: ANSWER_BYTES_MAX,
        bodyMayBreak: true,
      });
      return explain(provider, title, answer);
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error;
      return { ok: null, message: `${title} could not be reached: ${error.message}` };
    }
  };
}

function twilioCall({ accountSid, authToken }: CredentialData['twilio']): Call {
  const basic = Buffer.from(`${accountSid}:${authToken}`).toString('base64');
  return { path: `/2010-04-01/Accounts/${accountSid}.json`, headers: { authorization: `Basic ${basic}` } };
}

function keyCall(provider: StoredProvider, apiKey: string): Call {
  const bearer = { authorization: `Bearer ${apiKey}` };
  switch (provider) {
    case 'anthropic':
      return { path: '/v1/models', headers: { 'x-api-key': apiKey, 'anthropic-version': '2023-06-01' } };
    case 'calcom':
      return { path: '/v2/me', headers: { ...bearer, 'cal-api-version': '2024-06-14' } };
    case 'resend':
      return { path: '/domains', headers: bearer };
    case 'openai':
      return { path: '/v1/models', headers: bearer };
    case 'twilio':
    case 'postgres':
      throw new Error(`A key alone is none of ${provider}.`);
  }
}

function explain(provider: StoredProvider, title: string, { status, body }: OutboundAnswer): CheckOutcome {
  if (status >= 200 && status < 300) return { ok: true, message: `${title} accepted the key.` };
  // A Resend key restricted to sending is valid; the list is refused with this name.
  if (provider === 'resend' && body.includes('restricted_api_key'))
    return { ok: true, message: `${title} accepted the key. It may only send.` };
  // So is an OpenAI key that may only call models: the list is refused with the scope that it lacks.
  if (provider === 'openai' && (status === 401 || status === 403) && body.includes('api.model.read'))
    return { ok: true, message: `${title} accepted the key. It may not list models.` };
  // Resend's answer to a wrong key in a list has the status and name of a wrong field.
  const isWrongKey = provider === 'resend' && body.includes('API key is invalid');
  if (status === 401 || status === 403 || isWrongKey) return { ok: false, message: `${title} refused the key.` };
  if (status === 429) return { ok: null, message: `${title} is limiting requests. Try again in a minute.` };
  return { ok: null, message: `${title} answered with an error (${status}). Try again later.` };
}
