import { plain, readText } from './placeholders.ts';
import { fillConfig } from './settings.ts';
import type { Json, Template } from './types.ts';

/** Renders the texts and mails an agent would send, without sending them. */

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

/** Renders each text and mail with these settings and this input. */
export function renderPreviews(template: Template, context: PreviewContext): Preview[] {
  const config = configWithProfile(template, context);
  const values = { ...context.input, ...config, businessName: context.client.name, firstName: firstName(context.input) };
  const scope = { input: context.input, config, client: { name: context.client.name } };
  // Twice: first the template's own text, then the placeholders inside the partner's settings.
  const render = (text: string) =>
    fillPlaceholders(
      text.replace(/\{(\w+\.[\w.]+)\}/g, (_, path: string) => readText(scope, path)),
      values,
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
function fillPlaceholders(text: string, values: { readonly [key: string]: unknown }): string {
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
