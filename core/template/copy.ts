import type { ClientStatus, COPIED_FROM, COPY_REASONS, COPY_TARGET_STATES, ProfileKey } from '@partner-portal/contract/vocabulary.ts';
import { isEmpty } from './value-forms.ts';
import type { DefaultTexts } from './texts.ts';
import type { ConfigType, ConfigValue, Template, TemplateConfig } from './types.ts';

/** Settings of an agent that another client gets when the agent is copied, and the clients that can get it. */

type Profile = { readonly [key in ProfileKey]?: string | null | undefined };

/** The business that the settings were written for. */
export type CopySource = {
  config: { readonly [key: string]: unknown };
  /** The texts of the catalog in the languages of clients: an agent that has one of them has none of its own. */
  texts: readonly DefaultTexts[];
  /** Null for an agent of the agency itself. */
  client: { name: string; timezone: string; contacts: readonly (string | null | undefined)[]; businessProfile: Profile } | null;
};

/** `texts`: those of the catalog in the language of the target. */
export type CopyTarget = { timezone: string; businessProfile: Profile; texts: DefaultTexts };

/**
 * Where the copy's value comes from: `given` with the call, `profile` of the target's business, `default` of the template, `empty`, or `source` with
 * another meaning (`local_time`).
 */
export type CopiedFrom = (typeof COPIED_FROM)[number];
/** Why it is not that of the source: it belongs to one business, its text names the source's business, it applies in the target's time zone, or it is the catalog's in another language. */
export type CopyReason = (typeof COPY_REASONS)[number];

export type CopyDifference = { key: string; label: string; from: CopiedFrom; reason: CopyReason; value: ConfigValue | null };

/** Why the value of a type is not the same for another business: it is an address of one, or a time in its time zone. Null where it is. */
const REASON_OF_TYPE: { readonly [type in ConfigType]: Extract<CopyReason, 'of_one_client' | 'local_time'> | null } = {
  text: null,
  longtext: null,
  number: null,
  boolean: null,
  url: 'of_one_client',
  email: 'of_one_client',
  phone: 'of_one_client',
  'time-range': 'local_time',
  list: null,
  numberList: null,
  model: null,
};
const LINK = /https?:\/\/|\bwww\./i;
const MAIL_ADDRESS = /[^\s@<>]@[^\s@<>]+\.[a-z]{2,}/i;
const PHONE_NUMBER = /\+?\d(?:[\s().\-/]{0,2}\d){7,}/;
/** Shorter names and profile texts occur in texts by accident. */
const NAME_LENGTH_MIN = 3;

/**
 * Returns the settings of the copy, and where they differ from the source's. Numbers, links and addresses of one business are never copied, nor texts that
 * name it: they come from `given`, the target's profile, or the template.
 */
export function copySettings(
  template: Template,
  source: CopySource,
  target: CopyTarget,
  given: { readonly [key: string]: unknown } = {},
): { config: { [key: string]: unknown }; differences: CopyDifference[] } {
  const config: { [key: string]: unknown } = {};
  const differences: CopyDifference[] = [];
  for (const setting of template.config) {
    const { key, label } = setting;
    const own = source.config[key];
    if (given[key] !== undefined) {
      config[key] = given[key];
      differences.push({ key, label, from: 'given', reason: 'given', value: given[key] as ConfigValue }); // checked by checkConfig before
      continue;
    }
    const theirs = target.texts[key] ?? setting.default;
    if (isOfCatalog(setting, own, source) && !isSame(own ?? setting.default, theirs)) {
      differences.push({ key, label, from: 'default', reason: 'language', value: theirs });
      continue;
    }
    const reason = isEmpty(own) ? null : reasonToLeaveOut(setting, own, source);
    if (reason !== null || (isEmpty(own) && setting.fromProfile !== undefined)) {
      differences.push({ key, label, reason: reason ?? 'of_one_client', ...valueInstead(setting, target) });
      continue;
    }
    if (own === undefined) continue;
    config[key] = own;
    if (
      REASON_OF_TYPE[setting.type] === 'local_time' &&
      !isEmpty(own) &&
      source.client !== null &&
      source.client.timezone !== target.timezone
    )
      differences.push({ key, label, from: 'source', reason: 'local_time', value: own as ConfigValue }); // was checked when it was saved
  }
  return { config, differences };
}

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/** Whether the source has no text of its own here, but that of the catalog in one of its languages. */
function isOfCatalog(setting: TemplateConfig, own: unknown, { texts }: CopySource): boolean {
  return own === undefined || [setting.default, ...texts.map((one) => one[setting.key])].some((text) => isSame(own, text));
}

function reasonToLeaveOut(setting: TemplateConfig, own: unknown, source: CopySource): CopyReason | null {
  if (isOfCatalog(setting, own, source)) return null;
  if (setting.ofOneClient === true || setting.fromProfile !== undefined || REASON_OF_TYPE[setting.type] === 'of_one_client')
    return 'of_one_client';
  const texts = Array.isArray(own) ? own.map(String) : typeof own === 'string' ? [own] : [];
  return texts.some((text) => namesBusiness(text, source)) ? 'names_the_source' : null;
}

/** Whether a text holds a link, a mail address or a phone number, or the name or an address of the source's business. */
function namesBusiness(text: string, { client }: CopySource): boolean {
  if (LINK.test(text) || MAIL_ADDRESS.test(text) || PHONE_NUMBER.test(text)) return true;
  if (client === null) return false;
  const lower = text.toLowerCase();
  return [client.name, ...client.contacts, ...Object.values(client.businessProfile)]
    .map((one) => (one ?? '').trim().toLowerCase())
    .some((one) => one.length >= NAME_LENGTH_MIN && lower.includes(one));
}

function valueInstead(setting: TemplateConfig, { businessProfile, texts }: CopyTarget): Pick<CopyDifference, 'from' | 'value'> {
  const fromProfile = setting.fromProfile === undefined ? '' : (businessProfile[setting.fromProfile] ?? '').trim();
  if (fromProfile !== '') return { from: 'profile', value: fromProfile };
  const text = texts[setting.key] ?? setting.default;
  return isEmpty(text) ? { from: 'empty', value: null } : { from: 'default', value: text };
}

export type TargetFacts = { status: ClientStatus; hasAgent: boolean; hasOpenRequest: boolean; missing: number };
export type TargetState = (typeof COPY_TARGET_STATES)[number];

/** Whether a client can get an agent of a template now. A missing key keeps no one from asking: it is needed for the installation. */
export function targetState({ status, hasAgent, hasOpenRequest, missing }: TargetFacts): TargetState {
  if (status !== 'active') return 'not_allowed';
  if (hasAgent) return 'has_agent';
  if (hasOpenRequest) return 'requested';
  return missing > 0 ? 'missing' : 'ready';
}
