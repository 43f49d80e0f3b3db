import type { Workflow } from '../../queries/agents.ts';
import type { JsonObject } from '../../shared/edit-input-dialog.tsx';

type Input = Pick<NonNullable<Workflow['inputs']>[number], 'key' | 'label' | 'required' | 'aliases'>;

/** What a refused event still shows of its values: which required ones were missing, and an input to run the agent with. */
export type RefusedEvent = { missing: string[]; input: JsonObject };

/**
 * Reads the preview of a refused event, in which personal data is masked and long events are cut: masked values are left empty, for a
 * person to fill in. Undefined when it cannot be read.
 */
export function readRefused(preview: string | null, inputs: readonly Input[]): RefusedEvent | undefined {
  const values = parse(preview);
  if (!values) return undefined;
  const valueOf = ({ key, aliases }: Input) => [key, ...aliases].map((name) => values[name]).find((value) => !isEmpty(value));
  return {
    missing: inputs.filter((input) => input.required && isEmpty(valueOf(input))).map(({ label }) => label),
    input: Object.fromEntries(
      inputs.flatMap((input) => {
        const value = valueOf(input);
        const isMasked = typeof value === 'string' && value.includes('···');
        return value === undefined && !input.required ? [] : [[input.key, value === undefined || isMasked ? '' : value]];
      }),
    ),
  };
}

function parse(text: string | null): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text ?? '');
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : undefined; // a parse boundary
  } catch {
    return undefined;
  }
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || (typeof value === 'string' && value.trim() === '');
}
