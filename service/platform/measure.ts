/**
 * What a process measures for the metrics port (http/metrics.ts): histograms of durations and counters, each declared and recorded at the one place that all of its
 * kind pass through. A label has few values, all of them words of the code or the contract: never an id, an address or a text from outside. Recording does
 * nothing in a process without a metrics port.
 */

/** `help` says what one count is. */
type Declaration<Label extends string> = { help: string; labels: readonly Label[] };
/** `buckets`: upper bounds in seconds. */
export type DeclaredHistogram = Declaration<string> & { kind: 'histogram'; name: string; buckets: readonly number[] };
export type DeclaredCounter = Declaration<string> & { kind: 'counter'; name: string };
type Labels<Label extends string> = { readonly [label in Label]: string };

/** Upper bounds for what a person or a program waits for. */
export const WAITED_FOR = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** `traceId`: of a trace that is recorded; it becomes the exemplar. */
export type Recorder = {
  observe(name: string, labels: Readonly<Record<string, string>>, seconds: number, traceId: string | undefined): void;
  count(name: string, labels: Readonly<Record<string, string>>): void;
};

const declared = new Map<string, DeclaredHistogram | DeclaredCounter>();
let recorder: Recorder | null = null;

/** Has everything recorded from now on; null ends that. */
export function recordWith(next: Recorder | null): void {
  recorder = next;
}

/** Returns what the modules that are loaded declare. */
export function declaredMetrics(): readonly (DeclaredHistogram | DeclaredCounter)[] {
  return [...declared.values()];
}

function declare(metric: DeclaredHistogram | DeclaredCounter): void {
  if (declared.has(metric.name)) throw new Error(`The metric ${metric.name} is declared twice.`);
  declared.set(metric.name, metric);
}

/** Declares a histogram. `traceId` of an observation: the trace it belongs to, where that is recorded. */
export function defineHistogram<const Label extends string>(
  name: `portal_${string}_seconds`,
  declaration: Declaration<Label> & { buckets: readonly number[] },
): { observe(labels: Labels<Label>, milliseconds: number, traceId?: string): void } {
  declare({ kind: 'histogram', name, ...declaration });
  return { observe: (labels, milliseconds, traceId) => recorder?.observe(name, labels, milliseconds / 1_000, traceId) };
}

/** Declares a counter. */
export function defineCounter<const Label extends string>(
  name: `portal_${string}_total`,
  declaration: Declaration<Label>,
): { count(labels: Labels<Label>): void } {
  declare({ kind: 'counter', name, ...declaration });
  return { count: (labels) => recorder?.count(name, labels) };
}
