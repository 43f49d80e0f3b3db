import type { Provider } from '@partner-portal/contract/vocabulary.ts';

/**
 * The shape of a catalog template, as pure types. The catalog's schema is checked against these, so the
 * files on disk, the rules in this room and the records the API answers with cannot drift apart.
 * Source: product.md §3 (Template) and §8.
 */

export const INPUT_TYPES = ['phone', 'email', 'text', 'longtext', 'url', 'number', 'boolean', 'datetime', 'object'] as const;
export type InputType = (typeof INPUT_TYPES)[number];

export const CONFIG_TYPES = [
  'text',
  'longtext',
  'number',
  'boolean',
  'url',
  'email',
  'phone',
  'time-range',
  'list',
  'numberList',
  'model',
] as const;
export type ConfigType = (typeof CONFIG_TYPES)[number];

/** Parts of a client's business profile that fill a setting left empty. */
export const PROFILE_KEYS = ['hours', 'bookingUrl', 'reviewUrl', 'address', 'faqText'] as const;
export type ProfileKey = (typeof PROFILE_KEYS)[number];

export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };
export type JsonObject = { [key: string]: Json };

export type ConfigValue = string | number | boolean | string[] | number[];

export type TemplateInput = {
  key: string;
  label: string;
  type: InputType;
  required: boolean;
  /** Other names under which senders post the same value, for example `From` of a phone provider. */
  aliases: string[];
  example: Json;
};

export type TemplateConfig = {
  key: string;
  label: string;
  type: ConfigType;
  default: ConfigValue;
  help: string;
  /** Characters for texts, entries for lists. */
  maxLength?: number;
  min?: number;
  max?: number;
  /** The agent cannot do its work while this is empty. */
  required?: boolean;
  /** Filled from the client's business profile when empty. */
  fromProfile?: ProfileKey;
  /** The only values accepted, where there are few. */
  choices?: string[];
};

/** When a step runs at all: `ref` is an old-style reference without braces, for example `decide.out.byText`. */
export type StepCondition = { ref: string; is: 'true' | 'present' };

export type CodeStep = {
  name: string;
  label: string;
  kind: 'code';
  /** Path of the source inside the template's folder. */
  file: string;
  /** Shared parts (catalog/parts) that are put before the source. */
  uses: string[];
  inputs: JsonObject;
  when?: StepCondition;
};

export type HttpStep = {
  name: string;
  label: string;
  kind: 'http';
  provider: Exclude<Provider, 'code'>;
  request: {
    method: 'GET' | 'POST';
    /** Appended to the provider's base address; `{accountSid}` is the connection's account. */
    path: string;
    query?: { [key: string]: string };
    /** Sent as JSON. */
    json?: Json;
    /** A reference to a form-encoded text. */
    form?: string;
    headers?: { [name: string]: string };
  };
  when?: StepCondition;
};

export type TemplateStep = CodeStep | HttpStep;

/** A text the agent would send, for the live preview. `to`, `subject` and `body` hold `{input.x}`, `{config.x}` and `{client.x}`. */
export type TemplateMessage = {
  step: string;
  channel: 'text' | 'mail';
  to: string;
  subject?: string;
  body: string;
  /** Said beside the preview, for example that a language model writes the text anew each time. */
  note?: string;
};

export type Template = {
  name: string;
  templateVersion: number;
  title: string;
  summary: string;
  /** What it does for a client of the agency, without a technical word. */
  clientSummary: string;
  category: 'calls' | 'appointments' | 'leads' | 'reviews' | 'inbox' | 'reports' | 'sales';
  /** Name of a lucide icon. */
  icon: string;
  inputs: TemplateInput[];
  /** Of each group at least one key must be there. */
  requireOneOf?: string[][];
  config: TemplateConfig[];
  requiredConnections: Provider[];
  steps: TemplateStep[];
  /** Output of a succeeded run: key to reference. Empty values are left out. */
  result: { [key: string]: string };
  /** Cases in which a run ends early on purpose, in plain words. */
  stopsWhen: string[];
  creditsPerRun: number;
  timeoutMinutes: number;
  changelog: { version: number; text: string }[];
  isActive: boolean;
  /** Input that identifies the person the agent writes to (see `contactOf`); decides `facts.lastContactAt` and `facts.onStopList`. */
  contactInput?: string;
  /** How often the service runs it by itself, where that is how it is meant to be used. */
  suggestedSchedule?: 'hour' | 'day' | 'week';
  /** Its schedule starts no run by itself: it looks up bookings and plans a run for each (core/schedule/booking-reminder.ts). */
  looksAt?: 'bookings';
  /** One sentence per outcome with `{input.x}`, `{output.x}` and `{error.x}`; a word after `|` stands in for a missing value. */
  sentences: { running: string; succeeded: string; failed: string; stopped: string };
  /** Completes "38 …" in the monthly report. */
  resultsPhrase: { one: string; many: string };
  hoursSavedPerRun: number;
  sampleConversation: { from: 'business' | 'customer' | 'owner'; text: string }[];
  messages: TemplateMessage[];
};

/** One call that a sample run must make. */
export type ExpectedCall = { provider: Exclude<Provider, 'code'>; method: 'GET' | 'POST'; path: string; bodyIncludes?: string[] };

/**
 * A run that can be tried at once. Texts of the form `@now+23h`, `@now-3d` in `input` stand for a time
 * relative to the moment of the run, since a reminder for last year reminds nobody.
 */
export type TemplateSample = {
  input: JsonObject;
  config: { [key: string]: ConfigValue };
  result: JsonObject;
  calls: ExpectedCall[];
};

/** Everything needed to install a template: self-contained, JSON, so that a stored copy keeps its own code. */
export type TemplateBundle = { template: Template; sources: { [file: string]: string }; sample: TemplateSample };

/** What the service posts to a flow. Source: product.md §5.4, execution callbacks. */
export type DispatchPayload = {
  executionId: string;
  workflowId: string;
  callbackToken: string;
  input: JsonObject;
  config: { [key: string]: ConfigValue };
  client: {
    id: string | null;
    name: string;
    timezone: string;
    businessProfile: { [key in ProfileKey]: string };
  };
  facts: { lastContactAt: string | null; onStopList: boolean; now: string };
};
