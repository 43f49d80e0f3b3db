import type { Provider } from '@partner-portal/contract/vocabulary.ts';
import type { Template, TemplateStep } from './types.ts';

/** The read-only definition of an agent, as the portal and the API show it. */

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
 * Returns the read-only definition of an agent: trigger, steps in order, report last. `reads` names the input keys and the earlier
 * steps that a step reads. It contains no address, setting value or engine id.
 */
export function describeDefinition(template: Template): Definition {
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

/** Returns the labels of the steps that use a provider, for "Could not activate: missing credential for step(s) …". */
export function stepsUsingProvider(template: Template, provider: string): string[] {
  return template.steps.filter((step) => step.kind === 'http' && step.provider === provider).map((step) => step.label);
}
