import { defineHistogram, WAITED_FOR } from '#platform/measure.ts';
import type { EngineClient } from '../engine-client.ts';
import { isEngineError } from './engine-error.ts';

const operations = defineHistogram('portal_engine_call_duration_seconds', {
  help: 'Operations at the workflow engine by name and outcome: ok, the kind of the failure, or what the engine did with an event. One count is one operation, each repeat included; an operation may need several requests.',
  labels: ['operation', 'outcome'],
  buckets: WAITED_FOR,
});

/** Returns how an operation ended that did not throw: most have no more to say than that. */
type Outcomes = { readonly [name in keyof EngineClient]?: (result: Awaited<ReturnType<EngineClient[name]>>) => string };

/** Operations that report a failure in their result. */
const REPORTED: Outcomes = {
  health: ({ state }) => (state === 'healthy' ? 'ok' : state),
  dispatch: (outcome) => (outcome === 'accepted' ? 'ok' : outcome),
  callFlow: ({ kind }) => (kind === 'answered' ? 'ok' : kind),
};

type AnyCall = (...args: unknown[]) => unknown;

/** Measures each operation of an engine client. What returns at once asks nothing of the engine. */
export function measureEngine(client: EngineClient): EngineClient {
  return Object.fromEntries(
    Object.entries(client as Record<string, AnyCall>).map(([operation, call]) => [
      operation,
      (...args: unknown[]): unknown => {
        const startedAt = performance.now();
        const result = call(...args);
        return result instanceof Promise ? measured(operation, startedAt, result) : result;
      },
    ]),
  ) as EngineClient; // the same operations
}

async function measured(operation: string, startedAt: number, result: Promise<unknown>): Promise<unknown> {
  let outcome = 'error';
  try {
    const value = await result;
    const read = REPORTED[operation as keyof EngineClient] as ((value: unknown) => string) | undefined; // that of this operation, if any
    outcome = read?.(value) ?? 'ok';
    return value;
  } catch (error) {
    if (isEngineError(error)) outcome = error.kind;
    throw error;
  } finally {
    operations.observe({ operation, outcome }, performance.now() - startedAt);
  }
}
