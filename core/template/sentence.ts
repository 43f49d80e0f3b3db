import { maskInput, maskJson } from './mask.ts';
import { readText } from './placeholders.ts';
import type { Json, JsonObject, Template, TemplateStep } from './types.ts';

/** Renders an execution as one sentence. */

export type SentenceFacts = {
  input: { readonly [key: string]: Json };
  output?: { readonly [key: string]: Json } | null;
  error?: { code: string; message: string } | null;
};

/**
 * Renders an execution as one sentence, with phone numbers and e-mail addresses masked. An execution that ended early on purpose
 * (`output.skipped`) has its own sentence.
 */
export function renderSentence(
  template: Template,
  status: 'RUNNING' | 'SUCCEEDED' | 'FAILED',
  facts: SentenceFacts,
  /** The masked input, for a caller that already has it. */
  masked: JsonObject = maskInput(template, facts.input),
): string {
  const values = { input: masked, output: maskJson({ ...facts.output }), error: maskJson({ ...facts.error }) };
  const { sentences } = template;
  const stopped = status === 'SUCCEEDED' && facts.output?.['skipped'] === true;
  const sentence = stopped
    ? sentences.stopped
    : { RUNNING: sentences.running, SUCCEEDED: sentences.succeeded, FAILED: sentences.failed }[status];
  return fillSentence(sentence, values);
}

/** Returns what a step that succeeded did, with the values of its output; null when its template has no words for it. */
export function stepSentence(step: Pick<TemplateStep, 'done'> | undefined, output: unknown): string | null {
  return step?.done === undefined ? null : fillSentence(step.done, output);
}

function fillSentence(sentence: string, values: unknown): string {
  return sentence
    .replace(
      /\{([\w.]+)(?:\|([^}]*))?\}/g,
      (_, path: string, otherwise: string | undefined) => clip(readText(values, path)) || (otherwise ?? ''),
    )
    .replace(/\s{2,}/g, ' ')
    .trim();
}

// Sentences are sent in every list and stream, so an untrusted value must not determine their length.
const VALUE_LENGTH_MAX = 320;

function clip(text: string): string {
  return text.length > VALUE_LENGTH_MAX ? `${text.slice(0, VALUE_LENGTH_MAX - 1).toWellFormed()}…` : text;
}
