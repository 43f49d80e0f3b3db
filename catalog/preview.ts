import type { Locale } from '@partner-portal/contract/locales.ts';
import { fillBounded, readText } from '@partner-portal/core/template/placeholders.ts';
import { fillConfig } from '@partner-portal/core/template/settings.ts';
import type { Json, Template } from '@partner-portal/core/template/types.ts';
import { withoutEmptyLink } from './parts/sms.js';
import { closeBlanks, firstName, localTime, smsBody, unlinked } from './parts/text.js';

/** Renders the texts and mails an agent would send, without sending them. */

export type PreviewContext = {
  input: { readonly [key: string]: Json };
  config: { readonly [key: string]: unknown };
  /** `locale`: what the customers of the client read; English unless given. */
  client: { name: string; timezone?: string; locale?: Locale; businessProfile?: { readonly [key: string]: string | null | undefined } };
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

/** Longest rendered text, in UTF-16 units. A preview is read on a screen; what an agency writes is far below. */
export const PREVIEW_TEXT_MAX = 32_000;

/**
 * Renders each text and mail with these settings and this input. Only declared inputs and settings are filled in, and no text is longer than
 * `PREVIEW_TEXT_MAX`.
 */
export function renderPreviews(template: Template, context: PreviewContext): Preview[] {
  const config = configWithProfile(template, context);
  const input = declaredInput(template, context.input);
  const values = {
    ...input,
    ...linesOfOthers(template, input),
    ...localTimes(template, input, context.client),
    ...config,
    businessName: context.client.name,
    firstName: firstName(input['customerName'] ?? input['attendeeName'] ?? input['leadName']),
  };
  const scope = { input, config: withoutEmptyLinks(template, config), client: { name: context.client.name } };
  const read = { path: remember((path) => readText(scope, path)), name: remember((name) => readText(values, name)) };
  // Twice: first the template's own text, then the placeholders inside the partner's settings.
  const fillBoth = (text: string) => fill(fill(text, /\{(\w+\.[\w.]+)\}/g, read.path), /\{(\w+)\}/g, read.name);
  const render = (text: string) => closeBlanks(fillBoth(text));
  const links = linksOf(template, values);
  return template.messages.map((message) => {
    const hasLine = message.channel === 'text' && message.body.endsWith(OPT_OUT_LINE);
    const filled = fillBoth(hasLine ? message.body.slice(0, -OPT_OUT_LINE.length) : message.body);
    const text = closeBlanks(filled);
    const link = links.find((one) => text.includes(one));
    const body = hasLine && text !== '' ? smsBody({ text, link, line: render(OPT_OUT_LINE) }) : text;
    return {
      step: message.step,
      label: template.steps.find((step) => step.name === message.step)?.label ?? message.step,
      channel: message.channel,
      to: render(message.to),
      subject: message.subject === undefined ? null : render(message.subject),
      body,
      characters: body.length,
      note: filled.length < PREVIEW_TEXT_MAX - 1 ? (message.note ?? null) : SHORTENED,
    };
  });
}

/** The end of a text, which its step adds unless the text has it. */
const OPT_OUT_LINE = ' {config.optOutLine}';

const SHORTENED = 'The text is too long to show. These are its first 32,000 characters.';

const fill = (text: string, pattern: RegExp, valueOf: (name: string) => string) => fillBounded(text, pattern, valueOf, PREVIEW_TEXT_MAX);

/** Each value is made a text once, however often a text names it. */
function remember(read: (name: string) => string): (name: string) => string {
  const known = new Map<string, string>();
  return (name) => {
    const text = known.get(name) ?? read(name);
    known.set(name, text);
    return text;
  };
}

function declaredInput(template: Template, input: PreviewContext['input']): { [key: string]: Json } {
  const pairs = template.inputs.map(({ key }): [string, Json | undefined] => [key, Object.hasOwn(input, key) ? input[key] : undefined]);
  return Object.fromEntries(pairs.filter((pair): pair is [string, Json] => pair[1] !== undefined));
}

/** Inputs that are times, as texts write them. */
function localTimes(
  template: Template,
  input: { readonly [key: string]: Json },
  { timezone = 'UTC', locale = 'en' }: PreviewContext['client'],
): { [key: string]: string } {
  const times = template.inputs.flatMap(({ key, type }): [string, string][] => {
    const value = input[key];
    const time = type === 'datetime' && typeof value === 'string' ? localTime(value, timezone, locale) : '';
    return time === '' ? [] : [[key, time]];
  });
  return Object.fromEntries(times);
}

/** Lines of others, without what could be tapped. */
function linesOfOthers(template: Template, input: { readonly [key: string]: Json }): { [key: string]: string } {
  const lines = template.inputs.flatMap(({ key, type }): [string, string][] => {
    const value = input[key];
    return type === 'text' && typeof value === 'string' ? [[key, unlinked(value)]] : [];
  });
  return Object.fromEntries(lines);
}

/** Texts of the settings without the sentences that lead to a link that neither the settings nor the profile have. */
function withoutEmptyLinks(template: Template, config: { readonly [key: string]: unknown }): { [key: string]: unknown } {
  const empty = template.config.filter(({ key, type, fromProfile }) => type === 'url' && fromProfile !== undefined && config[key] === '');
  const shorten = (text: string) => empty.reduce((shown, { key }) => withoutEmptyLink(shown, key, ''), text);
  return Object.fromEntries(Object.entries(config).map(([key, value]) => [key, typeof value === 'string' ? shorten(value) : value]));
}

/** Web addresses of settings and input: one of them is the link that a text has to keep. */
function linksOf(template: Template, values: { readonly [key: string]: unknown }): string[] {
  return [...template.config, ...template.inputs]
    .filter(({ type }) => type === 'url')
    .map(({ key }) => values[key])
    .filter((value): value is string => typeof value === 'string' && value !== '');
}

function configWithProfile(template: Template, context: PreviewContext): { [key: string]: unknown } {
  const config: { [key: string]: unknown } = fillConfig(template, context.config);
  for (const setting of template.config) {
    if (setting.fromProfile !== undefined && config[setting.key] === '')
      config[setting.key] = context.client.businessProfile?.[setting.fromProfile] ?? '';
  }
  return config;
}
