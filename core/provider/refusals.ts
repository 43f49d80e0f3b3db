import { PROVIDERS, type Provider } from '@partner-portal/contract/vocabulary.ts';

/**
 * Meaning of a provider's refusal, by its code. A flow reports the code; the service decides here whether the run was stopped by the
 * state of a person (it costs nothing, and nothing has to be repaired) or failed because of the account or the settings (core/execution/failures.ts
 * says how to repair that). Codes change at their sources, so that an unknown one counts as a failure.
 */

type Service = Exclude<Provider, 'code'>;

/** Why a person cannot be texted, as the phone provider says. `message` is the sentence of the run: the catalog translates it for clients. */
const PERSONS = {
  opted_out_at_provider: 'They asked the phone provider not to get texts from this number',
  not_mobile: 'This number cannot receive texts',
  number_unknown: 'The phone provider does not know this number',
  number_unreachable: 'The phone provider cannot reach this number',
  region_not_enabled: 'The phone provider may not text the country of this number',
  own_number: 'This number is the one that texts are sent from',
} as const satisfies Record<string, string>;

export type PersonReason = keyof typeof PERSONS;

/** Endings of failure codes, which stand behind the name of the service; their words are in core/execution/failures.ts. */
export type RefusalEnding =
  | 'key_refused'
  | 'key_restricted'
  | 'account_unknown'
  | 'account_inactive'
  | 'trial_account'
  | 'no_credit'
  | 'daily_limit'
  | 'monthly_limit'
  | 'sender_rejected'
  | 'sender_unregistered'
  | 'sender_address_rejected'
  | 'recipient_rejected'
  | 'text_empty'
  | 'text_too_long'
  | 'text_blocked'
  | 'queue_full'
  | 'model_unknown'
  | 'too_long'
  | 'not_found'
  | 'too_fast'
  | 'down'
  | 'redirected'
  | 'refused';

type Meaning = { person: PersonReason } | { account: RefusalEnding };
const person = (reason: PersonReason): Meaning => ({ person: reason });
const account = (ending: RefusalEnding): Meaning => ({ account: ending });

/** Page of one Twilio code: https://www.twilio.com/docs/api/errors/<code>. Those from 30001 on mostly come later, with the status of a message. */
const TWILIO: { readonly [code: string]: Meaning } = {
  10001: account('account_inactive'),
  20003: account('key_refused'),
  20005: account('account_inactive'),
  20404: account('account_unknown'),
  20429: account('too_fast'),
  21211: person('number_unknown'),
  21212: account('sender_rejected'),
  21214: person('number_unreachable'),
  21265: person('not_mobile'),
  21266: person('own_number'),
  21401: account('sender_rejected'),
  21408: person('region_not_enabled'),
  21601: account('sender_rejected'),
  21602: account('text_empty'),
  21603: account('sender_rejected'),
  21604: person('number_unknown'),
  21605: account('text_too_long'),
  21606: account('sender_rejected'),
  21608: account('trial_account'),
  21610: person('opted_out_at_provider'),
  21611: account('queue_full'),
  21612: person('number_unreachable'),
  21614: person('not_mobile'),
  21617: account('text_too_long'),
  21619: account('text_empty'),
  21635: person('not_mobile'),
  21659: account('sender_rejected'),
  21660: account('sender_rejected'),
  21661: account('sender_rejected'),
  21703: account('sender_rejected'),
  21730: account('down'),
  30001: account('queue_full'),
  30002: account('account_inactive'),
  30003: person('number_unreachable'),
  30004: person('number_unreachable'),
  30005: person('number_unknown'),
  30006: person('not_mobile'),
  30007: account('text_blocked'),
  30008: account('down'),
  30032: account('sender_unregistered'),
  30034: account('sender_unregistered'),
  63017: account('too_fast'),
  63038: account('daily_limit'),
};

/** https://resend.com/docs/api-reference/errors */
const RESEND: { readonly [name: string]: Meaning } = {
  missing_api_key: account('key_refused'),
  invalid_api_key: account('key_refused'),
  restricted_api_key: account('key_restricted'),
  invalid_from_address: account('sender_address_rejected'),
  // 403: the domain of the sender is not verified, or the account may write to its owner only.
  '403_validation_error': account('sender_address_rejected'),
  daily_quota_exceeded: account('daily_limit'),
  monthly_quota_exceeded: account('monthly_limit'),
  rate_limit_exceeded: account('too_fast'),
  application_error: account('down'),
  internal_server_error: account('down'),
};

/** https://platform.openai.com/docs/guides/error-codes */
const OPENAI: { readonly [code: string]: Meaning } = {
  insufficient_quota: account('no_credit'),
  model_not_found: account('model_unknown'),
  context_length_exceeded: account('too_long'),
};

/** https://docs.anthropic.com/en/api/errors */
const ANTHROPIC: { readonly [type: string]: Meaning } = {
  billing_error: account('no_credit'),
  not_found_error: account('model_unknown'),
  request_too_large: account('too_long'),
  overloaded_error: account('down'),
};

/** Cal.com (https://cal.com/docs/api-reference/v2/introduction) and databases name nothing that says more than the status. */
const NONE: { readonly [code: string]: Meaning } = {};

export const REFUSAL_MEANINGS: Readonly<Record<Service, { readonly [code: string]: Meaning }>> = {
  twilio: TWILIO,
  resend: RESEND,
  openai: OPENAI,
  anthropic: ANTHROPIC,
  calcom: NONE,
  postgres: NONE,
};

/** Flows of earlier versions name the meaning themselves. */
const EARLIER: { readonly [code: string]: PersonReason } = {
  twilio_number_rejected: 'number_unknown',
  twilio_opted_out: 'opted_out_at_provider',
  twilio_unreachable_number: 'number_unreachable',
  twilio_not_mobile: 'not_mobile',
  twilio_region_blocked: 'region_not_enabled',
};

const SERVICES = PROVIDERS.filter((provider): provider is Service => provider !== 'code');

/** A provider's refusal: the state of a person, or a failure with its code (`twilio_sender_rejected`). */
export type Refusal = { is: 'person'; reason: PersonReason; message: string } | { is: 'account'; code: string };

/**
 * Returns what a refusal means that a flow reports as `<provider>_<HTTP status>[_<the provider's own code>]`, or as flows of earlier versions did:
 * by a name, or as `<provider>_refused` with status and code at the end of the message. Null for what is no provider's refusal.
 */
export function readRefusal({ code = '', message = '' }: { code?: string | undefined; message?: string | undefined }): Refusal | null {
  const earlier = Object.hasOwn(EARLIER, code) ? EARLIER[code] : undefined;
  if (earlier !== undefined) return ofPerson(earlier);
  const provider = SERVICES.find((one) => code.startsWith(`${one}_`));
  if (provider === undefined) return null;
  const rest = code.slice(provider.length + 1);
  const found = /^(\d{3})(?:_(\w+))?$/.exec(rest) ?? (rest === 'refused' ? /\((\d{3})(?:, (\w+))?\)$/.exec(message) : null);
  if (found === null) return null;
  const [, status = '', own = ''] = found;
  const meaning = meaningOf(provider, Number(status), own);
  return 'person' in meaning ? ofPerson(meaning.person) : { is: 'account', code: `${provider}_${meaning.account}` };
}

/** The own code of a refusal says more than its status, which is all that is left of one that is not known. */
function meaningOf(provider: Service, status: number, own: string): Meaning {
  const known = REFUSAL_MEANINGS[provider];
  const key = [`${status}_${own}`, own].find((one) => Object.hasOwn(known, one));
  return (key === undefined ? undefined : known[key]) ?? account(endingOf(status));
}

function endingOf(status: number): RefusalEnding {
  if (status === 401 || status === 403) return 'key_refused';
  if (status === 404) return 'not_found';
  if (status === 429) return 'too_fast';
  if (status >= 300 && status < 400) return 'redirected';
  return status >= 500 ? 'down' : 'refused';
}

function ofPerson(reason: PersonReason): Refusal {
  return { is: 'person', reason, message: PERSONS[reason] };
}

/** Returns whether a run ended early because a phone provider could not text its person: it costs nothing. */
export function isPersonReason(reason: unknown): reason is PersonReason {
  return typeof reason === 'string' && Object.hasOwn(PERSONS, reason);
}

/** All sentences about persons: the catalog translates each for clients (catalog/parts/outcomes). */
export const PERSON_MESSAGES: readonly string[] = Object.values(PERSONS);

const PAGES: { readonly [service in Service]?: string } = {
  resend: 'https://resend.com/docs/api-reference/errors',
  openai: 'https://platform.openai.com/docs/guides/error-codes',
  anthropic: 'https://docs.anthropic.com/en/api/errors',
};

/**
 * Returns the provider's page about a failure code: that of the code it answered with (`own`), or of one that means the same. Null when it has none.
 */
export function refusalPage(code: string, own?: string | number): string | null {
  const provider = SERVICES.find((one) => code.startsWith(`${one}_`));
  if (provider === undefined) return null;
  const ending = code.slice(provider.length + 1);
  const codes = Object.entries(REFUSAL_MEANINGS[provider]).flatMap(([key, meaning]) =>
    'account' in meaning && meaning.account === ending ? [key] : [],
  );
  if (provider !== 'twilio') return codes.length === 0 ? null : (PAGES[provider] ?? null);
  const answered = own === undefined ? undefined : String(own);
  const shown = answered !== undefined && /^\d{5}$/.test(answered) ? answered : codes[0];
  return shown === undefined ? null : `https://www.twilio.com/docs/api/errors/${shown}`;
}

/** A member of a provider's request that a refusal is about, and the name of its value for people. */
export type RefusedField = { member: string; label: string };

const SENDER: RefusedField = { member: 'From', label: 'Sender number' };
const TEXT: RefusedField = { member: 'Body', label: 'Text' };

const FIELDS: { readonly [service in Service]?: { readonly [ending in RefusalEnding]?: RefusedField } } = {
  twilio: {
    sender_rejected: SENDER,
    sender_unregistered: SENDER,
    queue_full: SENDER,
    recipient_rejected: { member: 'To', label: 'Recipient' },
    trial_account: { member: 'To', label: 'Recipient' },
    text_empty: TEXT,
    text_too_long: TEXT,
    text_blocked: TEXT,
  },
  resend: { sender_address_rejected: { member: 'from', label: 'Sender address' } },
  openai: { model_unknown: { member: 'model', label: 'Model' } },
  anthropic: { model_unknown: { member: 'model', label: 'Model' } },
};

/** Returns the member of the request that a failure code is about; null when it is about none, such as a refused key. */
export function refusedField(code: string): RefusedField | null {
  const provider = SERVICES.find((one) => code.startsWith(`${one}_`));
  const fields: { readonly [ending: string]: RefusedField } = (provider && FIELDS[provider]) ?? {};
  const ending = provider === undefined ? '' : code.slice(provider.length + 1);
  return Object.hasOwn(fields, ending) ? (fields[ending] ?? null) : null;
}
