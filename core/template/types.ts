import type { Locale } from '@partner-portal/contract/locales.ts';
import type { DataKind, ProfileKey, Provider, RunTone, TemplateCategory } from '@partner-portal/contract/vocabulary.ts';
import type { NoText } from '../contact/texting.ts';

/**
 * Types of a catalog template. The catalog's schema is checked against them, so the files on disk, the rules in core and the API's
 * records cannot diverge. See docs/behaviour/agents.md.
 */

export const INPUT_TYPES = ['phone', 'email', 'text', 'longtext', 'url', 'number', 'money', 'boolean', 'datetime', 'object'] as const;
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

export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };
export type JsonObject = { [key: string]: Json };

export type ConfigValue = string | number | boolean | string[] | number[];

export type TemplateInput = {
  key: string;
  label: string;
  /** What a chatbot calls it when it asks the visitor for it, where the label is about someone else. */
  ask?: string;
  type: InputType;
  required: boolean;
  /** Other names under which senders post the value, for example `From` of a phone provider. */
  aliases: string[];
  example: Json;
  /** For a `boolean`: words of senders that mean yes or no, in addition to those of the portal's languages. */
  trueWords?: string[];
  falseWords?: string[];
  /** For a `boolean`: words that mean yes also among others, as in "CANCELLED_BY_CUSTOMER", and phrases that mean it at the beginning, as in "Declined by host". */
  trueWithin?: string[];
  /**
   * For a `boolean`: aliases under which senders post a state. "1" and "yes" are none: it counts by the words of the input alone, of several
   * inputs with the same by the first that knows its word.
   */
  states?: string[];
  /** For a `datetime`: a day alone is not enough. */
  timeRequired?: true;
  /** For a `number`: whole, from `min` on. */
  integer?: true;
  min?: number;
  /**
   * For an `email`: headers of a mail, in lower case, the first of which gives the value where no member of the event does
   * (core/template/read/mail-header.ts).
   */
  headers?: string[];
  /** For an `email`: the input whose address is not mailed where this one came. */
  insteadOf?: string;
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
  /** The agent cannot work while this is empty. */
  required?: boolean;
  /** Filled from this member of the client's business profile when empty. */
  fromProfile?: ProfileKey;
  /** Filled with the calling code of the client's country when empty, such as "+49". */
  fromCountry?: true;
  /** Belongs to one business, so a copy for another client leaves it out. Phone numbers, links and mail addresses do without this. */
  ofOneClient?: boolean;
  /** The only values accepted, where there are few. */
  choices?: string[];
  /** For a `list`: what each entry is; an entry of several is one entry for each. */
  items?: 'email';
};

/** Condition under which a step runs: `ref` is an old-style reference without braces, for example `decide.out.byText`. */
export type StepCondition = { ref: string; is: 'true' | 'present' };

/** The result of a step that succeeded, for agencies: a sentence with `{x}` of its output; the text after `|` stands for a missing value. */
export type StepSentence = string;

export type CodeStep = {
  name: string;
  label: string;
  kind: 'code';
  /** Path of the source inside the template's folder. */
  file: string;
  /** Shared parts (catalog/parts) that are prepended to the source. */
  uses: string[];
  inputs: JsonObject;
  when?: StepCondition;
  done?: StepSentence;
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
  /** Later steps run although this call failed, as a text does after a mail; the run has failed nevertheless. */
  mayFail?: true;
  when?: StepCondition;
  done?: StepSentence;
};

export type TemplateStep = CodeStep | HttpStep;

/** A text the agent would send, for the preview. `to`, `subject` and `body` may contain `{input.x}`, `{config.x}` and `{client.x}`. */
export type TemplateMessage = {
  step: string;
  channel: 'text' | 'mail';
  to: string;
  subject?: string;
  body: string;
  /** Shown with the preview, for example that a language model writes each text. */
  note?: string;
};

/** Location of an event's id: a header, or a value of the event (`payload.id` for a member of a member). */
export type EventIdSource = { header: string } | { input: string };

/**
 * An outcome of a succeeded run that is another than the usual one. Its conditions are about the output, where an early end has `skipped` and `reason`:
 * `is` compares values, `has` and `lacks` name keys with and without a value.
 */
export type TemplateOutcome = {
  name: string;
  when: { is?: { [key: string]: string | number | boolean }; has?: string[]; lacks?: string[] };
  tone: RunTone;
  /** Like those in `sentences`; missing where the usual sentence is true as well. */
  sentence?: string;
};

export type Template = {
  name: string;
  templateVersion: number;
  /** The first version whose flow answers a caller that waits for the result; missing in copies from before there was one. */
  answersSince?: number;
  /** The first version whose flow texts no one when `facts.noText` says so; missing in templates that text no person of an event. */
  obeysNoTextSince?: number;
  /** The first version whose flow mails no one when `facts.noMail` says so; missing in templates that mail no person of an event, or judge `facts.onStopList` alone. */
  obeysNoMailSince?: number;
  /** Which answers of a provider count as done; missing in copies made when any that the engine took did, redirects included. */
  succeedsOn?: '2xx';
  title: string;
  summary: string;
  /** The benefit for a client, in non-technical terms. */
  clientSummary: string;
  category: TemplateCategory;
  /** Name of a lucide icon. */
  icon: string;
  inputs: TemplateInput[];
  /** Groups of keys; at least one key of each group is required. */
  requireOneOf?: string[][];
  config: TemplateConfig[];
  /** The data it works with, as a client reads it; checked against the types of its inputs. */
  data: DataKind[];
  requiredConnections: Provider[];
  steps: TemplateStep[];
  /** Output of a succeeded execution: key to reference. Empty values are left out. */
  result: { [key: string]: string };
  /** Cases in which an execution ends early on purpose, as shown to users. */
  stopsWhen: string[];
  creditsPerRun: number;
  timeoutMinutes: number;
  changelog: { version: number; text: string }[];
  isActive: boolean;
  /** Input that identifies the contact (see `contactOf`); determines `facts.lastContactAt` and `facts.onStopList`. */
  contactInput?: string;
  /** Location of the id in events of the usual senders, so that a repeated event starts nothing twice. */
  eventId?: EventIdSource;
  /** States, in lower case, of events of something that has not ended (core/execution/under-way.ts); with a value in one of `lacks` it has. */
  goesOn?: { states: { [member: string]: string[] }; lacks: string[] };
  /** Suggested frequency, for agents that are meant to run on a schedule. */
  suggestedSchedule?: 'hour' | 'day' | 'week';
  /** Its schedule does not start executions: it fetches bookings and plans one for each (core/schedule/booking-reminder.ts). */
  looksAt?: 'bookings';
  /** One sentence per outcome with `{input.x}`, `{output.x}` and `{error.x}`; the text after `|` is the fallback for a missing value. */
  sentences: { running: string; succeeded: string; failed: string; stopped: string };
  /** Instead of those, for runs that a visitor asked for in a chat; missing where those are as true of them. */
  visitorSentences?: Omit<Template['sentences'], 'stopped'>;
  /** The first that holds decides; missing where every run that succeeds did what it is for. */
  outcomes?: TemplateOutcome[];
  /** Sentences by name that earlier versions stored for runs that succeeded; only read, to translate those runs. */
  formerSentences?: { [name: string]: string };
  /** Completes "38 …" in the monthly report. `withChats`: of an agent that a chatbot can run as well, missing where the others are as true of it. */
  resultsPhrase: { one: string; many: string; withChats?: { one: string; many: string } };
  hoursSavedPerRun: number;
  sampleConversation: { from: 'business' | 'customer' | 'owner'; text: string }[];
  messages: TemplateMessage[];
};

/** A call that the sample execution must make. */
export type ExpectedCall = { provider: Exclude<Provider, 'code'>; method: 'GET' | 'POST'; path: string; bodyIncludes?: string[] };

/**
 * A sample execution. Texts of the form `@now+23h`, `@now-3d` in `input` are times relative to the start of the execution, so that
 * the sample never goes stale.
 */
export type TemplateSample = {
  input: JsonObject;
  config: { [key: string]: ConfigValue };
  result: JsonObject;
  calls: ExpectedCall[];
};

/** Everything needed to install a template, as self-contained JSON, so that a stored copy keeps its own code. */
export type TemplateBundle = { template: Template; sources: { [file: string]: string }; sample: TemplateSample };

/** Why a person gets no mail, as a run shows it. */
export type NoMail = { reason: 'on_stop_list'; message: string };

/** The parts of an event that a flow reads, however it was called. */
export type EventPayload = {
  workflowId: string;
  input: JsonObject;
  config: { [key: string]: ConfigValue };
  client: {
    id: string | null;
    name: string;
    /** The name under which the agent mails, its setting `senderName` or the client's, encoded as it stands before `<address>` (RFC 5322). */
    mailName: string;
    timezone: string;
    /** What the customers of the client read dates and subjects in. */
    locale: Locale;
    /** The language of the client itself: of what its owner reads. */
    ownerLocale: Locale;
    businessProfile: { [key in ProfileKey]: string };
  };
  facts: {
    /** When the agent last reached the contact of this event; of one that plans, its person about the same quote or visit. */
    lastContactAt: string | null;
    /** When a mail of the agent about the same quote or visit last went to an address of this event, also when the run failed after it. */
    lastMailAt: string | null;
    /** The contact, or the number that would be texted, is on the stop list. */
    onStopList: boolean;
    /** The number that would be texted is. */
    numberOnStopList: boolean;
    /** Why the person of this event gets no text (core/contact/texting.ts); null when they may. */
    noText: NoText | null;
    /** Why the person of this event gets no mail (core/template/mailed.ts); null when they may. */
    noMail: NoMail | null;
    /** The service planned this run, once for its time; false for an event, which may be repeated. */
    isPlanned: boolean;
    /** The person wrote by WhatsApp: the answer goes there, from the number of the business that they wrote to. */
    isWhatsApp: boolean;
    /** A visitor of a chatbot asked for the run: what a text names as its cause, such as a missed call, did not happen. */
    isForVisitor: boolean;
    /** When the run was accepted; it may have waited since. */
    acceptedAt: string;
    /** Inputs that came and could not be understood, so that they are left out. */
    leftOut: string[];
    now: string;
  };
};

/** The body the service posts to a flow that reports its result. */
export type DispatchPayload = EventPayload & { executionId: string; callbackToken: string };

/** The body of a direct call, whose result is the flow's answer. */
export type DirectPayload = EventPayload & { turnId: string };
