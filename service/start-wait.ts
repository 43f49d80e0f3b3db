import { setTimeout as delay } from 'node:timers/promises';
import { isEngineError } from '#adapters/engine/engine-error.ts';
import { isDatabaseUnavailable } from '#platform/db/unavailable.ts';
import { StartError } from '#platform/start-error.ts';

export type StartWaitOptions = {
  /** How long the whole start waits, from the first failure on (START_WAIT_SECONDS). */
  waitSeconds: number;
  /** Called once, when the start begins to wait. */
  onWait: (sentence: string) => void;
  /** Ends the waiting: the operator stops the process. */
  signal?: AbortSignal | undefined;
};

/** Runs a step of the start, again while what it needs is away. */
export type StartStep = <T>(step: () => Promise<T>) => Promise<T>;

const FIRST_WAIT_MS = 100;
const WAIT_MS_MAX = 2_000;
const ENGINE_AWAY = new Set(['unreachable', 'timeout', 'unhealthy', 'busy', 'failed']);

/**
 * Creates the runner of a start's steps: Postgres and the engine may restart while the service starts. Each step must allow to be repeated
 * after a failure. When the time is over, or the signal aborts, the error becomes a `StartError` of one sentence; other errors pass at once.
 */
export function createStartSteps({ waitSeconds, onWait, signal }: StartWaitOptions): StartStep {
  let giveUpAt: number | undefined;
  return async (step) => {
    for (let waitMs = FIRST_WAIT_MS; ; waitMs = Math.min(waitMs * 2, WAIT_MS_MAX)) {
      try {
        return await step();
      } catch (error) {
        const what = whatIsAway(error);
        if (what === null) throw error;
        if (giveUpAt === undefined) onWait(`${what} does not answer (${reasonOf(error)}); retrying for ${waitSeconds} seconds`);
        giveUpAt ??= performance.now() + waitSeconds * 1000;
        if (signal?.aborted || performance.now() + waitMs > giveUpAt) throw gaveUp(error, what, waitSeconds);
        await delay(waitMs, undefined, { signal }).catch(() => undefined);
      }
    }
  };
}

/** Returns the name of what is away; null for an error that waiting does not end. */
function whatIsAway(error: unknown): 'The database' | 'The workflow engine' | null {
  if (isEngineError(error)) return ENGINE_AWAY.has(error.kind) ? 'The workflow engine' : null;
  const cause = error instanceof StartError ? error.cause : error;
  return isDatabaseUnavailable(cause) ? 'The database' : null;
}

function gaveUp(error: unknown, what: string, waitSeconds: number): StartError {
  // Already a sentence that says where and what to do.
  if (error instanceof StartError) return error;
  return new StartError(
    `${what} did not answer within ${waitSeconds} seconds (${reasonOf(error)}). Check that it runs, then start again.`,
    {
      cause: error,
    },
  );
}

function reasonOf(error: unknown): string {
  const cause = error instanceof StartError ? error.cause : error;
  const code = cause instanceof Error && 'code' in cause && typeof cause.code === 'string' ? cause.code : null;
  return code ?? (cause instanceof Error ? cause.message.replace(/\.$/, '') : String(cause));
}
