import { type Child, startChild } from './child.ts';
import type { LoadOrder, LoadResult, LoadTarget } from './load.ts';

/** Starts a process that calls the target as it is asked to. */
export async function startLoad(target: LoadTarget): Promise<Child<LoadOrder, LoadResult>> {
  const { child } = await startChild<LoadTarget, object, LoadOrder, LoadResult>(new URL('./load.ts', import.meta.url), target);
  return child;
}
