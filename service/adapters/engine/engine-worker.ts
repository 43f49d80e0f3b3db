import { EngineError, isEngineError } from './engine-error.ts';

/** Storing a connection and publishing a flow wait for a worker inside the request; without one they would hang for minutes (engine API, §0.9). */
export const WORKER_TIMEOUT_MS = 60_000;

/** Makes a call that a worker of the engine answers. No answer within `timeoutMs` is the error `no_worker`. */
export async function byWorker<T>(timeoutMs: number, call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (!isEngineError(error, 'timeout')) throw error;
    throw new EngineError('no_worker', `No worker of the engine answered within ${timeoutMs / 1000} s. ${error.message}`, { cause: error });
  }
}
