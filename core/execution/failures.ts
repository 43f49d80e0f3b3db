import { PROVIDERS, type Provider, type ReportFailure } from '@partner-portal/contract/vocabulary.ts';
import { PROVIDER_RULES } from '../credential/provider-rules.ts';
import { type RefusalEnding, refusalPage, type RefusedField, refusedField } from '../provider/refusals.ts';

/**
 * Why a run failed, by its error code: the sentence for an agency, how to fix it, what the button does, and the kind of cause that a client
 * reads. What a provider's own code means is in core/provider/refusals.ts. A test compares the codes with those that templates and the service can emit.
 */

/** Remedies: another key, other settings, another input, an unchanged rerun, or a check of the setup. */
export type FailureFix = 'key' | 'settings' | 'input' | 'rerun' | 'setup';

export type FailureCause = {
  /** In plain words without a final stop, `{service}` for the provider. Null where the message of the run says more. */
  sentence: string | null;
  fix: string;
  /** The fix of a value that came with the event instead of from the settings. */
  fixOfInput?: string;
  act: FailureFix;
  /** The words of clients are those of the monthly report. */
  kind: ReportFailure;
};

const again = 'Run it again in a few minutes. If it keeps happening, contact your platform team.';
const wrongInput = 'Correct the value in the event, or edit the input and run it again.';
const phoneFix = 'Send the number with its country code, such as +13125550148, or edit the input and run it again.';
const settingsFix = 'Fill it in under the agent’s settings, then run it again.';
const modelFix =
  'Run it again: a language model answers differently each time. If it keeps happening, choose another model in the agent’s settings.';

/** Meanings of refusals behind the name of a service: `twilio_down`, `openai_no_credit`. */
const OF_REFUSALS = {
  key_refused: {
    sentence: '{service} did not accept the saved key',
    fix: 'Save a valid key for {service}, then run it again.',
    act: 'key',
    kind: 'connection',
  },
  account_unknown: {
    sentence: '{service} does not know the saved account',
    fix: 'Check the account in the key for {service}, then run it again.',
    act: 'key',
    kind: 'connection',
  },
  key_restricted: {
    sentence: 'The saved key for {service} may not do this',
    fix: 'Save a key for {service} with full access, then run it again.',
    act: 'key',
    kind: 'connection',
  },
  account_inactive: {
    sentence: 'The {service} account is suspended or not active',
    fix: 'Look at the account in the {service} console, or save the key of another account.',
    act: 'key',
    kind: 'connection',
  },
  trial_account: {
    sentence: 'The {service} account is on trial and texts verified numbers only',
    fix: 'Upgrade the account in the {service} console, then run it again.',
    act: 'rerun',
    kind: 'connection',
  },
  daily_limit: {
    sentence: 'The {service} account has reached its limit of the day',
    fix: 'Raise the limit at {service}, or run it again tomorrow.',
    act: 'rerun',
    kind: 'provider',
  },
  monthly_limit: {
    sentence: 'The {service} account has reached its limit of the month',
    fix: 'Choose a larger plan at {service}, then run it again.',
    act: 'rerun',
    kind: 'provider',
  },
  no_credit: {
    sentence: 'The {service} account has no credit left',
    fix: 'Add credit at {service} or save the key of another account, then run it again.',
    act: 'key',
    kind: 'connection',
  },
  sender_rejected: {
    sentence: '{service} does not accept the sender number',
    fix: 'Use a number of the connected {service} account that can send texts as “Sender number”.',
    fixOfInput: 'In place of the number that was called, use a number of the connected {service} account that can send texts.',
    act: 'settings',
    kind: 'connection',
  },
  sender_unregistered: {
    sentence: 'The sender number is not registered for texts by businesses',
    fix: 'Register the number in the {service} console (A2P or toll-free verification), then run it again.',
    act: 'rerun',
    kind: 'connection',
  },
  sender_address_rejected: {
    sentence: '{service} does not accept the sender address',
    fix: 'Verify the domain of “Sender address” at {service}, or use an address of a verified one.',
    act: 'settings',
    kind: 'connection',
  },
  recipient_rejected: {
    sentence: '{service} cannot text the number of the recipient in the settings',
    fix: 'Use a mobile number that has not opted out of texts from the sender number.',
    act: 'settings',
    kind: 'details',
  },
  text_blocked: {
    sentence: 'A carrier blocked the text because of its words',
    fix: 'Change the text in the agent’s settings: carriers block links of shorteners and words of advertising.',
    act: 'settings',
    kind: 'details',
  },
  model_unknown: {
    sentence: '{service} does not know the model chosen in the settings',
    fix: 'Choose another model in the agent’s settings, then run it again.',
    act: 'settings',
    kind: 'connection',
  },
  text_empty: { sentence: 'The text was empty', fix: settingsFix, act: 'settings', kind: 'details' },
  text_too_long: {
    sentence: 'The text is longer than {service} allows',
    fix: 'Shorten the text in the agent’s settings, then run it again.',
    act: 'settings',
    kind: 'details',
  },
  too_long: {
    sentence: 'The input is too long for the language model',
    fix: 'Shorten the input and run it again.',
    act: 'input',
    kind: 'details',
  },
  not_found: {
    sentence: '{service} does not have what was asked for',
    fix: 'Check the IDs and names in the agent’s settings, then run it again.',
    act: 'settings',
    kind: 'details',
  },
  too_fast: {
    sentence: '{service} received too many requests',
    fix: again,
    act: 'rerun',
    kind: 'provider',
  },
  queue_full: { sentence: 'Too many texts are waiting at {service} for this sender number', fix: again, act: 'rerun', kind: 'provider' },
  down: { sentence: '{service} was not working', fix: again, act: 'rerun', kind: 'provider' },
  redirected: { sentence: '{service} answered with a redirect and did nothing', fix: again, act: 'rerun', kind: 'provider' },
  refused: {
    sentence: null,
    fix: 'Compare what was sent with the service’s response below, edit the input and run it again.',
    act: 'input',
    kind: 'provider',
  },
} as const satisfies Record<RefusalEnding, FailureCause>;

/** Other codes behind the name of a service. */
const OF_SERVICES = {
  ...OF_REFUSALS,
  unreachable: { sentence: '{service} could not be reached', fix: again, act: 'rerun', kind: 'provider' },
  // Failures of earlier runs, which are stopped today.
  number_rejected: { sentence: '{service} does not accept this phone number', fix: phoneFix, act: 'input', kind: 'details' },
  not_mobile: {
    sentence: 'This number cannot receive texts',
    fix: 'Use a mobile number, then run it again.',
    act: 'input',
    kind: 'details',
  },
  unreachable_number: {
    sentence: '{service} cannot reach this number from the sender number',
    fix: 'Check the number, or send from a number of its country.',
    act: 'input',
    kind: 'details',
  },
  opted_out: {
    sentence: 'This person asked not to get texts from this number',
    fix: 'No more texts can be sent to this number. Call or e-mail instead.',
    act: 'input',
    kind: 'details',
  },
  region_blocked: {
    sentence: 'The {service} account may not text that country',
    fix: 'Allow the country in the {service} console, then run it again.',
    act: 'rerun',
    kind: 'details',
  },
  // The database answers with codes of ours (queryForExecution).
  validation_failed: {
    sentence: null,
    fix: 'Correct the query in the agent’s settings, or the key of the database, then run it again.',
    act: 'settings',
    kind: 'connection',
  },
  private_address: {
    sentence: 'The database is at an address that may not be reached from here',
    fix: 'Save the database with a public address.',
    act: 'key',
    kind: 'connection',
  },
  rate_limited: { sentence: '{service} received too many requests', fix: again, act: 'rerun', kind: 'provider' },
  invalid_state: { sentence: 'The run had ended before its query', fix: again, act: 'rerun', kind: 'timeout' },
  invalid_callback_token: { sentence: 'The run could not be authenticated', fix: again, act: 'rerun', kind: 'not_started' },
} as const satisfies Record<string, FailureCause>;

/** A call that sends a message: without an answer, or after an error of the server, no one knows whether it went out. */
const UNANSWERED: FailureCause = {
  sentence: '{service} did not answer and may have sent the message',
  fix: 'Look in the {service} console whether it went out, and run it again only if it did not.',
  act: 'rerun',
  kind: 'provider',
};
const DOWN: FailureCause = { ...UNANSWERED, sentence: '{service} was not working and may have sent the message' };
const OF_SENDERS: Readonly<Record<string, FailureCause>> = {
  twilio_unreachable: UNANSWERED,
  resend_unreachable: UNANSWERED,
  twilio_down: DOWN,
  resend_down: DOWN,
};

const missing = (what: string): FailureCause => ({ sentence: what, fix: settingsFix, act: 'settings', kind: 'other' });
const unusable = (what: string, fix = wrongInput): FailureCause => ({ sentence: what, fix, act: 'input', kind: 'details' });
const badAnswer = (what: string): FailureCause => ({
  sentence: `${what}, so nothing was sent`,
  fix: modelFix,
  act: 'rerun',
  kind: 'other',
});

/** Codes of templates. */
const OF_TEMPLATES = {
  number_not_e164: unusable('The phone number cannot be used', phoneFix),
  business_number_not_e164: unusable('The number of the business cannot be used', phoneFix),
  mail_address_invalid: unusable('The e-mail address cannot be used'),
  quote_link_invalid: unusable('The link to the quote is not a web address'),
  rating_out_of_range: unusable('The rating is not a number from 1 to 5'),
  sent_at_unreadable: unusable('The day on which the quote was sent is not a date'),
  start_time_unreadable: unusable('The start of the visit is not a date and time'),
  delays_missing: missing('The settings name no day for a nudge'),
  event_type_missing: missing('Neither the event nor the settings say which kind of visit to offer'),
  faq_missing: missing('There is no text to answer from, neither in the settings nor in the business profile'),
  handoff_missing: missing('The agent left the message to a person, and no contact is set to receive it'),
  lead_hours_missing: missing('The settings name no time before a visit for a reminder'),
  mail_not_set_up: missing('The sender address or the text of the e-mail is missing'),
  message_missing: missing('The message is empty'),
  recipients_missing: missing('There are no recipients, or all of them are on the stop list'),
  review_link_missing: missing('There is no review link, neither in the settings nor in the business profile'),
  sender_address_missing: missing('There is no sender address'),
  sender_number_missing: missing('There is no sender number'),
  answer_unreadable: badAnswer('The language model’s answer could not be used'),
  digest_empty: badAnswer('The language model wrote nothing useful'),
  draft_has_link: badAnswer('The language model’s draft contained an unchecked link'),
  draft_has_placeholder: badAnswer('The language model’s draft contained an unfilled placeholder'),
  draft_too_long: badAnswer('The language model’s draft was too long'),
  draft_too_short: badAnswer('The language model’s draft was too short'),
  draft_unreadable: badAnswer('The language model’s draft could not be read'),
  score_unreadable: badAnswer('The language model gave no score'),
} as const satisfies Record<string, FailureCause>;

/** Codes of the service itself, whose messages say how long and what. */
const OF_SERVICE = {
  timeout: { sentence: null, fix: again, act: 'rerun', kind: 'timeout' },
  engine_timeout: { sentence: null, fix: again, act: 'rerun', kind: 'timeout' },
  dispatch_failed: {
    sentence: null,
    fix: 'The event never reached the agent. Check the setup, then run it again.',
    act: 'setup',
    kind: 'not_started',
  },
  engine_error: { sentence: null, fix: again, act: 'rerun', kind: 'not_started' },
  engine_limit: { sentence: null, fix: 'Run it again with a smaller input.', act: 'input', kind: 'not_started' },
  engine_cancelled: { sentence: null, fix: 'Run it again.', act: 'rerun', kind: 'not_started' },
  step_failed: {
    sentence: null,
    fix: 'Check the step’s input and response, edit the input and run it again.',
    act: 'input',
    kind: 'other',
  },
} as const satisfies Record<string, FailureCause>;

type Service = Exclude<Provider, 'code'>;
/** Codes of the service itself that a run can fail with. */
export type ServiceFailureCode = keyof typeof OF_SERVICE;
export type FailureCode = ServiceFailureCode | keyof typeof OF_TEMPLATES | `${Service}_${keyof typeof OF_SERVICES}`;

const OWN: Readonly<Record<string, FailureCause>> = { ...OF_SERVICE, ...OF_TEMPLATES };
const SERVICES = PROVIDERS.filter((provider): provider is Service => provider !== 'code');

/** Every code, for tests. */
export const FAILURE_CODES: readonly FailureCode[] = [
  ...(Object.keys(OWN) as FailureCode[]), // made of the tables above
  ...SERVICES.flatMap((service) => Object.keys(OF_SERVICES).map((ending) => `${service}_${ending}` as FailureCode)),
];

/** The service an error code names; null for codes of ours. */
export function serviceOf(code: string): Service | null {
  return Object.hasOwn(OWN, code) ? null : (SERVICES.find((service) => code.startsWith(`${service}_`)) ?? null);
}

const UNKNOWN: FailureCause = OF_SERVICE.step_failed;

/**
 * Returns the cause behind an error code, with the service it names, the service's page about it (about `own`, the code it answered with, where that is
 * known) and the member of the request it is about. Reports are text of third parties, so any code may come.
 */
export function failureOf(
  code: string,
  own?: string | number,
): FailureCause & { service: Service | null; page: string | null; field: RefusedField | null } {
  const service = serviceOf(code);
  const ofSender = Object.hasOwn(OF_SENDERS, code) ? OF_SENDERS[code] : undefined;
  const found =
    ofSender ?? (service === null ? (Object.hasOwn(OWN, code) ? OWN[code] : undefined) : causeOfService(code.slice(service.length + 1)));
  const { sentence, fix, fixOfInput, ...rest } = found ?? UNKNOWN;
  const name = (text: string): string => text.replaceAll('{service}', service === null ? 'The service' : PROVIDER_RULES[service].title);
  return {
    ...rest,
    service,
    sentence: sentence && name(sentence),
    fix: name(fix),
    ...(fixOfInput === undefined ? {} : { fixOfInput: name(fixOfInput) }),
    page: refusalPage(code, own),
    field: refusedField(code),
  };
}

function causeOfService(ending: string): FailureCause | undefined {
  return Object.hasOwn(OF_SERVICES, ending) ? OF_SERVICES[ending as keyof typeof OF_SERVICES] : OF_SERVICES.refused;
}
