import assert from 'node:assert/strict';
import { ApiError } from '@partner-portal/contract/client.ts';

/** Returns the code with which a call is refused; fails when it is allowed. */
export async function codeOf(work: Promise<unknown>): Promise<string> {
  const error: unknown = await work.then(
    () => new Error('it was allowed'),
    (refused: unknown) => refused,
  );
  assert.ok(error instanceof ApiError, String(error));
  return error.problem?.code ?? String(error.status);
}
