import type { RunTone } from '@partner-portal/contract/vocabulary.ts';
import type { Template, TemplateOutcome } from './types.ts';

/** What a run that succeeded came to: its own sentence, and whether that is good, neutral, or needs a person. */

type Output = { readonly [key: string]: unknown } | null | undefined;

/** Returns the first outcome of the template whose conditions all hold for the output; undefined when the run did what its template is for. */
export function outcomeOf(template: Pick<Template, 'outcomes'> | undefined, output: Output): TemplateOutcome | undefined {
  return template?.outcomes?.find(({ when: { is = {}, has = [], lacks = [] } }) => {
    const equal = Object.entries(is).every(([key, value]) => valueOf(output, key) === value);
    return equal && has.every((key) => valueOf(output, key) !== undefined) && lacks.every((key) => valueOf(output, key) === undefined);
  });
}

/** Returns the tone of a run that ended; null for a failed one. A run that ended early on purpose is neutral unless its template says otherwise. */
export function toneOf(template: Pick<Template, 'outcomes'> | undefined, status: 'SUCCEEDED' | 'FAILED', output: Output): RunTone | null {
  if (status === 'FAILED') return null;
  return outcomeOf(template, output)?.tone ?? (output?.['skipped'] === true ? 'neutral' : 'good');
}

function valueOf(output: Output, key: string): unknown {
  return output && Object.hasOwn(output, key) ? (output[key] ?? undefined) : undefined;
}
