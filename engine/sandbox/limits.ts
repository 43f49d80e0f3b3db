export const INPUT_BYTES_MAX = 1024 * 1024;
export const OUTPUT_BYTES_MAX = 1024 * 1024;
export const CODE_BYTES_MAX = 256 * 1024;

/** One step for the child: `input` is JSON text, `owner` whose code it is. */
export type StepJob = { id: number; owner: string; code: string; input: string; limitMs: number };
/** Its answer: JSON text `{output}` or `{error}`, or an error of the isolate itself. Id 0 says that the child is ready. */
export type StepAnswer = { id: number; text: string } | { id: number; error: string };
