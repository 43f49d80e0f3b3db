import { checkInput, sampleInput } from '@partner-portal/core/template/input.ts';
import type { Json, JsonObject, Template, TemplateBundle, TemplateStep } from '@partner-portal/core/template/types.ts';
import { type Preview, renderPreviews } from '@partner-portal/core/template/preview.ts';
import type { RequestContext } from '#platform/http/context.ts';
import { refuse } from '#platform/refuse.ts';
import { audit, refuseBadConfig } from './change-agent.ts';
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
  const agent = await deps.db.asTenant(context.actor, async (tx) => {
    const row = await findAgent(tx, id);
    if (!row) return refuse('not_found');
    // The page of an agent renders the sample by itself; data of the caller's own is an act.
    if (request.input) await audit(tx, context, row, 'agent.previewed', {});
    return row;
  });
  const bundle = deps.bundleOf(agent.templateName);
  if (!bundle) return refuse('not_found', { detail: 'The catalog no longer has the template of this agent.' });
  const { template } = bundle;
  if (request.config) refuseBadConfig(template, request.config);
  const input = request.input ?? sampleInput(bundle.sample.input, context.now);
  const check = checkInput(template, input);
  if (!check.ok) {
    refuse('missing_input', {
      detail: `The input lacks ${check.missing.map((one) => `"${one.key}"`).join(', ')}.`,
      missing: check.missing,
      errors: check.missing.map((one) => ({ field: `input.${one.key}`, code: 'required', message: `${one.label} is missing.` })),
    });
  }
  const client = { name: agent.clientName ?? agent.partnerName, timezone: agent.timezone, businessProfile: agent.businessProfile ?? {} };
  const previews = renderPreviews(template, { input, config: { ...agent.config, ...request.config }, client });
  return { input, steps: template.steps.map((step) => stepPreview(step, previews)) };
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
