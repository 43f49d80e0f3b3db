import { defaultTextsOf, templateTextsOf } from '@partner-portal/catalog/index.ts';
import { whyNoText } from '@partner-portal/catalog/parts/sms.js';
import { type Preview, renderPreviews } from '@partner-portal/catalog/preview.ts';
import type { Locale } from '@partner-portal/contract/locales.ts';
import { customerLocale } from '@partner-portal/core/template/customer-locale.ts';
import { readInput, sampleInput } from '@partner-portal/core/template/input.ts';
import type { Json, JsonObject, Template, TemplateBundle, TemplateStep } from '@partner-portal/core/template/types.ts';
import { fillConfig } from '@partner-portal/core/template/settings.ts';
import { noTextFor, textedInputs } from '@partner-portal/core/template/texted.ts';
import { findTextingClient } from '#modules/2-tenancy/clients/index.ts';
import { refuseInput } from '#modules/3-product/catalog/index.ts';
import type { RequestContext } from '#platform/http/context.ts';
import { refuse } from '#platform/refuse.ts';
import { audit, readConfig } from './change-agent.ts';
import type { AgentDeps } from './list-agents.ts';
import { findAgent } from './store.ts';

export type PreviewDeps = AgentDeps & { bundleOf: (name: string) => TemplateBundle | undefined };

/** Renders what each step would send with sample data or the given input. Sends nothing. */
export async function previewAgent(
  deps: PreviewDeps,
  context: RequestContext,
  id: string,
  request: { input?: JsonObject | undefined; config?: Record<string, unknown> | undefined },
) {
  const { agent, reader, textCountries } = await deps.db.asTenant(context.actor, async (tx) => {
    const row = await findAgent(tx, id);
    if (!row) return refuse('not_found');
    // The page of an agent renders the sample by itself; data of the caller's own is an act.
    if (request.input) await audit(tx, context, row, 'agent.previewed', {});
    const { client, textCountries } = (await findTextingClient(tx, row.partnerId, row.clientId)) ?? refuse('not_found');
    return { agent: row, reader: row.dateOrder === null ? client : { ...client, dateOrder: row.dateOrder }, textCountries };
  });
  const bundle = deps.bundleOf(agent.templateName);
  if (!bundle) return refuse('not_found', { detail: 'The catalog no longer has the template of this agent.' });
  const { template } = bundle;
  const config = readConfig(template, request.config ?? {}, reader);
  const came = request.input ?? sampleInput(bundle.sample.input, context.now);
  const reading = readInput(template, came, reader);
  const input = 'input' in reading ? reading.input : refuseInput(reading.problems, 'input.');
  const { clientName, partnerName, timezone } = agent;
  const settings = { ...agent.config, ...config };
  const filled = fillConfig(template, settings, reader);
  const locale = customerLocale(template, filled, reader.locale, (one) => defaultTextsOf(template, one));
  const client = { name: clientName ?? partnerName, timezone, locale, businessProfile: agent.businessProfile ?? {} };
  const previews = renderPreviews(withWordsOf(template, locale, reader.locale), {
    input,
    config: settings,
    client,
  });
  const no = noTextFor(template, input, textCountries, came);
  // Here only the time decides: `no` has judged whom it goes to.
  const late =
    textedInputs(template).length > 0
      ? whyNoText({ number: '+', config: { quietHours: filled['quietHours'] }, client, facts: { now: context.now.toISOString() } })
      : null;
  return {
    input,
    steps: template.steps.map((step) => stepPreview(step, previews)),
    notTexted: [no, late].filter((reason) => reason !== null),
  };
}

/** Subjects and bodies are those that customers read, or the owner, whose address is a setting; notes are those that the agency reads. */
function withWordsOf(template: Template, customers: Locale, owner: Locale): Template {
  const messagesIn = (locale: Locale) => templateTextsOf(template, locale).messages;
  return {
    ...template,
    messages: template.messages.map((message, at) => {
      const { subject, body = message.body } = messagesIn(message.to.startsWith('{config.') ? owner : customers)[at] ?? {};
      return { ...message, body, ...(subject === undefined ? {} : { subject }) };
    }),
  };
}

function stepPreview(step: Template['steps'][number], previews: readonly Preview[]) {
  const preview = previews.find((one) => one.step === step.name);
  return { name: step.name, label: step.label, kind: step.kind, rendered: preview ? textOf(preview) : describe(step) };
}

function textOf({ channel, to, subject, body, characters, note }: Preview): Json {
  return { channel, to, subject, body, characters, note };
}

/** Describes a step that sends no text: the service it calls, or an empty text for a step that only computes. */
function describe(step: TemplateStep): Json {
  return step.kind === 'http' ? { asks: step.provider, method: step.request.method } : null;
}
