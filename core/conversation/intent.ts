import { toE164 } from '../contact/phone.ts';
import { checkInput, type ReadingClient } from '../template/input.ts';
import { readDatetime } from '../template/read/read-datetime.ts';
import { readPhone } from '../template/read/read-phone.ts';
import { ownAddresses, type OwnPages, withOwnLinks } from './own-links.ts';
import type { InputType, Json, JsonObject, Template, TemplateInput } from '../template/types.ts';
import { storableText } from '../text/storable.ts';
import { isEmail, isEmpty } from '../template/value-forms.ts';

/** The tools that the model could use in a turn, and its choice. A tool is one of the client's own agents, or the hand-over to a person. */

export type Tool = { name: string; description: string; parameters: JsonObject };
export type ToolCall = { name: string; input: { readonly [key: string]: unknown } };
export type OfferedAgent = {
  tool: string;
  workflowId: string;
  intent: string;
  template: Template;
  /** Addresses of the business: a visitor may have nothing else linked to. */
  addresses: readonly string[];
  /** Inputs that are the business's own: neither a visitor nor the model may set them. */
  own: JsonObject;
  /** How values are read that a visitor writes as people of its country do. */
  reader: ReadingClient;
};

export type Choice =
  | { kind: 'reply' }
  | { kind: 'hand_over' }
  /** The agent was chosen, but values are missing or not of their type: the visitor is asked for these inputs. */
  | { kind: 'ask'; agent: OfferedAgent; missing: readonly string[] }
  /** A value links to a page that is not the business's. */
  | { kind: 'foreign_link'; agent: OfferedAgent; key: string }
  | { kind: 'run'; agent: OfferedAgent; input: JsonObject };

/** The reader of no particular client: a number needs its country code. */
const ANYWHERE: ReadingClient = { timezone: 'UTC', countries: [], locale: 'en' };

const HAND_OVER = 'hand_over';
const TEXT_MAX: { readonly [type in InputType]?: number } = { text: 300, longtext: 2_000, url: 500 };

/** Returns the agents of a chatbot as tools are named. Those without a template, or without the number of the business that they text from, are left out. */
export function offerAgents(
  routes: readonly {
    intent: string;
    workflowId: string;
    templateName: string;
    businessPhone?: string | null;
    pages?: OwnPages;
    reader?: ReadingClient;
  }[],
  templateOf: (name: string) => Template | undefined,
): OfferedAgent[] {
  return routes.flatMap(({ intent, workflowId, templateName, businessPhone, pages, reader = ANYWHERE }, at) => {
    const template = templateOf(templateName);
    if (!template) return [];
    const addresses = pages ? ownAddresses(template, pages) : [];
    const own = ownValues(template, businessPhone ?? '', reader);
    if (own === null) return [];
    return [{ tool: `agent_${at + 1}`, workflowId, intent, template, addresses, own, reader }];
  });
}

/** Returns the tools of a turn: the agents, typed by their templates' inputs, and the hand-over. */
export function toolsOf(agents: readonly OfferedAgent[]): Tool[] {
  return [
    ...agents.map(({ tool, template, own }) => ({ name: tool, description: template.clientSummary, parameters: schemaOf(template, own) })),
    {
      name: HAND_OVER,
      description: 'Hands the conversation to a person of the business. Use it when the visitor asks for a person.',
      parameters: { type: 'object', properties: {}, additionalProperties: false },
    },
  ];
}

/**
 * Returns what the model chose. Only the first call counts, and only when its tool was offered. Values that are unknown or not of their
 * input's type are dropped, so a missing one is asked for.
 */
export function readChoice(calls: readonly ToolCall[], agents: readonly OfferedAgent[]): Choice {
  const call = calls[0];
  if (!call) return { kind: 'reply' };
  if (call.name === HAND_OVER) return { kind: 'hand_over' };
  const agent = agents.find((one) => one.tool === call.name);
  if (!agent) return { kind: 'reply' };
  const input = { ...typedInput(agent.template, call.input, agent.reader), ...agent.own };
  const check = checkInput(agent.template, input);
  if (!check.ok) return { kind: 'ask', agent, missing: check.missing.map(({ key }) => key) };
  const linked = withOwnLinks(agent.template, input, agent.addresses);
  return 'foreign' in linked ? { kind: 'foreign_link', agent, key: linked.foreign } : { kind: 'run', agent, input: linked.input };
}

/** The number that was called or written to, which phone systems name `To`: in a chat it is the number of the business. */
const isOwnNumber = ({ type, aliases }: TemplateInput): boolean => type === 'phone' && aliases.includes('To');

/** Null: the agent needs the number of the business, and its client has none. */
function ownValues(template: Template, phone: string, { countries }: ReadingClient): JsonObject | null {
  const inputs = template.inputs.filter(isOwnNumber);
  const number = inputs.length > 0 ? toE164(phone, countries) : null;
  if (number !== null) return Object.fromEntries(inputs.map(({ key }) => [key, number]));
  return inputs.length > 0 ? null : {};
}

/** Returns the values that are of the type of their input, read as those of this client. */
export function typedInput(template: Template, given: { readonly [key: string]: unknown }, client: ReadingClient = ANYWHERE): JsonObject {
  const entries = template.inputs.flatMap((input): [string, Json][] => {
    const value = Object.hasOwn(given, input.key) ? typedValue(input, given[input.key], client) : undefined;
    return value === undefined ? [] : [[input.key, value]];
  });
  return Object.fromEntries(entries);
}

function typedValue(input: TemplateInput, value: unknown, client: ReadingClient): Json | undefined {
  if (input.type === 'number') return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
  if (input.type === 'boolean') return typeof value === 'boolean' ? value : undefined;
  // A visitor has no objects to give; they would pass through untyped.
  if (input.type === 'object' || typeof value !== 'string' || isEmpty(value)) return undefined;
  const text = storableText(value).trim();
  if (text === '') return undefined;
  if (input.type === 'phone') {
    const reading = readPhone(text, client);
    return 'value' in reading ? reading.value : undefined;
  }
  if (input.type === 'email') return isEmail(text) && text.length <= 254 ? text.toLowerCase() : undefined;
  if (input.type === 'datetime') {
    // Models write a Z out of habit where the visitor said an hour of the business.
    const time = text.replace(/(?<=:\d{2}(?:\.\d+)?)Z$/i, '');
    return isTime(time) && 'value' in readDatetime(time, client, input) ? time : undefined;
  }
  if (text.length > (TEXT_MAX[input.type] ?? 300)) return undefined;
  return input.type === 'url' && !/^https?:\/\/[^\s<>"]+$/i.test(text) ? undefined : text;
}

const isTime = (text: string): boolean => /^\d{4}-\d{2}-\d{2}/.test(text) && text.length <= 40 && !Number.isNaN(Date.parse(text));

const JSON_TYPES: { readonly [type in InputType]: string } = {
  phone: 'string',
  email: 'string',
  text: 'string',
  longtext: 'string',
  url: 'string',
  number: 'number',
  money: 'string',
  boolean: 'boolean',
  datetime: 'string',
  object: 'object',
};
const HINTS: { readonly [type in InputType]?: string } = {
  phone: ', with country code, such as +13125550121',
  datetime: ', as ISO 8601 in the time of the business, without an offset, such as 2027-01-05T15:00',
  url: ', as a full address',
};

/** Nothing is required in the schema: a model that must fill a member invents one. */
function schemaOf(template: Template, own: JsonObject): JsonObject {
  const properties = template.inputs
    .filter((input) => input.type !== 'object' && !(input.key in own))
    .map((input): [string, Json] => [input.key, { type: JSON_TYPES[input.type], description: `${input.label}${HINTS[input.type] ?? ''}` }]);
  return { type: 'object', properties: Object.fromEntries(properties), additionalProperties: false };
}
