import type { Locale } from '@partner-portal/contract/vocabulary.ts';
import { messagesFor } from '@partner-portal/messages/all.ts';
import { sampleInput } from '@partner-portal/core/template/input.ts';
import { describeDefinition } from '@partner-portal/core/template/definition.ts';
import type { Template, TemplateBundle, TemplateStep } from '@partner-portal/core/template/types.ts';

/** Templates in the shapes of the contract, without code, addresses or engine ids. */

export function toStepRecord(template: Template, step: TemplateStep) {
  return {
    name: step.name,
    label: step.label,
    kind: step.kind,
    provider: step.kind === 'http' ? step.provider : null,
    reads: keysRead(template, step),
  };
}

/** Returns the input keys that a step reads; one that takes the whole event reads all. */
function keysRead(template: Template, step: TemplateStep): string[] {
  const text = JSON.stringify(step);
  if (/\{\{trigger\.body\.input\}\}/.test(text)) return template.inputs.map((input) => input.key);
  return [...new Set([...text.matchAll(/trigger\.body\.input\.(\w+)/g)].map((found) => found[1] ?? ''))];
}

export function toInputFields(template: Template) {
  return template.inputs.map(({ key, label, type, required, aliases, example, timeRequired }) => ({
    key,
    label,
    type,
    required,
    aliases,
    example,
    writtenTo: template.messages.find(({ to }) => to === `{input.${key}}`)?.channel ?? null,
    ...(timeRequired === true ? { timeRequired } : {}),
  }));
}

export function toConfigFields(template: Template) {
  return template.config.map(({ key, label, type, default: value, maxLength, min, max, help, fromProfile }) => ({
    key,
    label,
    type,
    default: value,
    maxLength: maxLength ?? null,
    min: min ?? null,
    max: max ?? null,
    help: help || null,
    fromProfile: fromProfile ?? null,
  }));
}

/** Returns the read-only definition: trigger and steps, the report last. A client sees labels only, in their language. */
export function toDefinition(template: Template | undefined, labelsOnly: boolean, locale: Locale = 'en') {
  const { t } = messagesFor(locale);
  const label = t('runs.eventArrives');
  if (!template) return { trigger: { label, keys: [] }, steps: [] };
  const report = describeDefinition(template)
    .steps.filter((step) => step.kind === 'report')
    .map((step) => ({ ...step, label: t('runs.report') }));
  const steps = [...template.steps.map((step) => toStepRecord(template, step)), ...report];
  return {
    trigger: { label, keys: labelsOnly ? [] : template.inputs.map((input) => input.key) },
    steps: labelsOnly ? steps.map((step) => ({ ...step, provider: null, reads: [] })) : steps,
  };
}

export function toTemplateRecord({ template, sample }: TemplateBundle, forClient: boolean, now: Date) {
  const { templateVersion, creditsPerRun, timeoutMinutes, hoursSavedPerRun } = template;
  return {
    name: template.name,
    ...(forClient ? {} : { templateVersion, creditsPerRun, timeoutMinutes, hoursSavedPerRun }),
    title: template.title,
    // A client sees the summary written for clients, and the inputs.
    summary: forClient ? template.clientSummary : template.summary,
    clientSummary: template.clientSummary,
    category: template.category,
    icon: template.icon,
    inputs: toInputFields(template).map((input) => (forClient ? { ...input, aliases: [] } : input)),
    config: forClient ? [] : toConfigFields(template),
    requiredConnections: forClient ? [] : template.requiredConnections,
    steps: forClient ? [] : template.steps.map((step) => toStepRecord(template, step)),
    changelog: forClient ? [] : template.changelog,
    isActive: template.isActive,
    sampleInput: forClient ? {} : sampleInput(sample.input, now),
  };
}
