import { queryClient } from './query-client.ts';

let ending: Promise<void> | undefined;

/** Resolves at once; while this page ends its own session only when that fails. What is read in between would be refused. */
export async function whileStaying(): Promise<void> {
  await ending;
}

/**
 * Ends the session at the server by `end`, then goes where `leave` leads. What is being read is dropped, and nothing is read any more.
 * A session that could not be ended goes on, and so does its page: throws what `end` threw.
 */
export async function leaveBy(end: () => Promise<unknown>, leave: () => void): Promise<void> {
  const staying = Promise.withResolvers<void>();
  ending = staying.promise;
  try {
    await queryClient.cancelQueries();
    await end();
  } catch (error) {
    ending = undefined;
    staying.resolve();
    void queryClient.invalidateQueries();
    throw error;
  }
  queryClient.clear();
  leave();
}
