import { queryClient } from './query-client.ts';

let ending: Promise<void> | undefined;

/** Resolves at once. During log-out it resolves only if that fails: requests sent in between would be refused. */
export async function unlessLoggingOut(): Promise<void> {
  await ending;
}

/**
 * Cancels running requests, ends the session on the server with `end`, then calls `leave`. If `end` fails, the page resumes and its
 * error is thrown.
 */
export async function endSessionAndLeave(end: () => Promise<unknown>, leave: () => void): Promise<void> {
  const settled = Promise.withResolvers<void>();
  ending = settled.promise;
  try {
    await queryClient.cancelQueries();
    await end();
  } catch (error) {
    ending = undefined;
    settled.resolve();
    void queryClient.invalidateQueries();
    throw error;
  }
  queryClient.clear();
  leave();
}
