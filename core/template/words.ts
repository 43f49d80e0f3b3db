import type { Provider } from '@partner-portal/contract/vocabulary.ts';
import { maskEmail, maskPhone, maskText } from '../contact/phone.ts';
import { fillConfig } from './settings.ts';
import type { Json, JsonObject, Template, TemplateStep } from './types.ts';

/** What people read about an agent: its definition, its texts before they are sent, its runs as sentences. Pure. */

export type DefinitionStep = {
  name: string;
  label: string;
  kind: TemplateStep['kind'] | 'report';
  provider: Provider | null;
  reads: string[];
  conditional: boolean;
};

export type Definition = { trigger: { label: string; keys: string[] }; steps: DefinitionStep[] };

/**
 * The read-only definition of an agent: trigger, steps in order, report last. `reads` names the input keys and the earlier
 * steps a step takes values from. Holds no address, setting value or engine id.
 */
export function stepsOf(template: Template): Definition {
  const steps = template.steps.map((step) => ({
    name: step.name,
    label: step.label,
    kind: step.kind,
    provider: step.kind === 'http' ? step.provider : null,
    reads: readsOf(template, step),
    conditional: step.when !== undefined,
  }));
  const report = {
    name: 'report',
    label: 'Report',
    kind: 'report' as const,
    provider: null,
    reads: steps.map((step) => step.label),
    conditional: false,
  };
  return { trigger: { label: 'Event arrives', keys: template.inputs.map((input) => input.key) }, steps: [...steps, report] };
}

function readsOf(template: Template, step: TemplateStep): string[] {
  const text = JSON.stringify([step.kind === 'http' ? step.request : step.inputs, step.when ? `{{${step.when.ref}}}` : '']);
  const references = [...text.matchAll(/\{\{([\w.]+)\}\}/g)].map((found) => (found[1] ?? '').split('.'));
  const reads = references.flatMap(([root, part, area, key]) => {
    if (root !== 'trigger') return template.steps.filter((one) => one.name === root).map((one) => one.label);
    if (part !== 'body' || area !== 'input') return [];
    return key === undefined ? template.inputs.map((input) => input.key) : [key];
  });
  return [...new Set(reads)];
}

/** Labels of the steps that need a provider, for "Could not activate: missing credential for step(s) …". */
export function stepsNeeding(template: Template, provider: string): string[] {
  return template.steps.filter((step) => step.kind === 'http' && step.provider === provider).map((step) => step.label);
}

/**
 * The input with phone numbers and mail addresses masked, wherever they stand: in the keys the template declares as such,
 * inside longer texts, and inside nested values.
 */
export function maskInput(template: Template, input: { readonly [key: string]: Json }): JsonObject {
  return Object.fromEntries(
    Object.entries(input).map(([key, value]) => {
      const type = template.inputs.find((one) => one.key === key)?.type;
      if (typeof value === 'string' && type === 'phone') return [key, maskPhone(value)];
      if (typeof value === 'string' && type === 'email') return [key, maskEmail(value.trim())];
      return [key, maskJson(value)];
    }),
  );
}

/** The same masking for outputs and step payloads, whose keys no template declares. */
export function maskJson(value: Json): Json {
  if (typeof value === 'string') return maskText(value);
  if (Array.isArray(value)) return value.map(maskJson);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, maskJson(item)]));
}

export type SentenceFacts = {
  input: { readonly [key: string]: Json };
  output?: { readonly [key: string]: Json } | null;
  error?: { code: string; message: string } | null;
};

/**
 * A run as one sentence in plain words, with phone numbers and mail addresses masked. A run that ended early
 * on purpose (`output.skipped`) has its own sentence.
 */
export function renderSentence(
  template: Template,
  status: 'RUNNING' | 'SUCCEEDED' | 'FAILED',
  facts: SentenceFacts,
  /** The input as maskInput answers it, for a caller that has it already. */
  masked: JsonObject = maskInput(template, facts.input),
): string {
  const values = { input: masked, output: maskJson({ ...facts.output }), error: maskJson({ ...facts.error }) };
  const { sentences } = template;
  const stopped = status === 'SUCCEEDED' && facts.output?.['skipped'] === true;
  const sentence = stopped
    ? sentences.stopped
    : { RUNNING: sentences.running, SUCCEEDED: sentences.succeeded, FAILED: sentences.failed }[status];
  return sentence
    .replace(
      /\{([\w.]+)(?:\|([^}]*))?\}/g,
      (_, path: string, otherwise: string | undefined) => clip(readText(values, path)) || (otherwise ?? ''),
    )
    .replace(/\s{2,}/g, ' ')
    .trim();
}

// A sentence stands in every list and stream: what a stranger wrote into a form does not decide how long it is.
const WORDS_MAX = 320;

function clip(text: string): string {
  return text.length > WORDS_MAX ? `${text.slice(0, WORDS_MAX - 1).toWellFormed()}…` : text;
}

export type PreviewContext = {
  input: { readonly [key: string]: Json };
  config: { readonly [key: string]: unknown };
  client: { name: string; businessProfile?: { readonly [key: string]: string | null | undefined } };
};

export type Preview = {
  step: string;
  label: string;
  channel: 'text' | 'mail';
  to: string;
  subject: string | null;
  body: string;
  characters: number;
  note: string | null;
};

/** What each text or mail would say with these settings and this input. Nothing is sent. */
export function previewSteps(template: Template, context: PreviewContext): Preview[] {
  const config = configWithProfile(template, context);
  const words = { ...context.input, ...config, businessName: context.client.name, firstName: firstName(context.input) };
  const scope = { input: context.input, config, client: { name: context.client.name } };
  // Twice: the template's own frame first, then the placeholders inside the agency's text.
  const render = (text: string) =>
    fillWords(
      text.replace(/\{(\w+\.[\w.]+)\}/g, (_, path: string) => readText(scope, path)),
      words,
    );
  return template.messages.map((message) => {
    const body = render(message.body);
    return {
      step: message.step,
      label: template.steps.find((step) => step.name === message.step)?.label ?? message.step,
      channel: message.channel,
      to: render(message.to),
      subject: message.subject === undefined ? null : render(message.subject),
      body,
      characters: body.length,
      note: message.note ?? null,
    };
  });
}

// The same rule as `fill` in catalog/parts/text.js, which runs inside the engine.
function fillWords(text: string, values: { readonly [key: string]: unknown }): string {
  return text
    .replace(/\{(\w+)\}/g, (_, key: string) => plain(values[key]))
    .replace(/[ \t]{2,}/g, ' ')
    .replace(/ +([.,!?;:])/g, '$1')
    .trim();
}

function configWithProfile(template: Template, context: PreviewContext): { [key: string]: unknown } {
  const config: { [key: string]: unknown } = fillConfig(template, context.config);
  for (const setting of template.config) {
    if (setting.fromProfile !== undefined && config[setting.key] === '')
      config[setting.key] = context.client.businessProfile?.[setting.fromProfile] ?? '';
  }
  return config;
}

function firstName(input: { readonly [key: string]: Json }): string {
  const name = input['customerName'] ?? input['attendeeName'] ?? input['leadName'];
  return typeof name === 'string' ? (name.trim().split(/\s+/)[0] ?? '') : '';
}

function readText(values: unknown, path: string): string {
  let value = values;
  for (const key of path.split('.')) value = isRecord(value) ? value[key] : undefined;
  return plain(value);
}

function plain(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return Array.isArray(value) ? value.map(plain).join(', ') : '';
}

function isRecord(value: unknown): value is { readonly [key: string]: unknown } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
