import { maskInput, maskJson } from './mask.ts';
import { readText } from './placeholders.ts';
import type { Json, JsonObject, Template } from './types.ts';

/** Renders an execution as one sentence. */

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
