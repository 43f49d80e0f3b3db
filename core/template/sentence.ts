import { shortened } from '../text/cut.ts';
import { maskInput, maskJson } from './mask.ts';
import { outcomeOf } from './outcome.ts';
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
 * (`output.skipped`) has its own sentence, and so have the outcomes that its template declares.
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
  const usual = facts.output?.['skipped'] === true ? sentences.stopped : sentences.succeeded;
  const succeeded = outcomeOf(template, facts.output)?.sentence ?? usual;
  return fillSentence({ RUNNING: sentences.running, SUCCEEDED: succeeded, FAILED: sentences.failed }[status], values);
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
  return shortened(text, VALUE_LENGTH_MAX);
}
