import { StepError } from './step.ts';

/** The recorded engine knows no bound; ours has one, so that one run cannot fill the log or the memory. */
const ITEMS_MAX = 10_000;

/** The items of a loop: a list, or a text that spells one in JSON. An empty value is an empty list. */
export function loopItems(resolved: unknown): unknown[] {
  let items = resolved;
  if (typeof items === 'string' && items !== '') {
    try {
      items = JSON.parse(items);
    } catch {
      throw new StepError('The items of the loop are not a list');
    }
  }
  if (items === '' || items === null || items === undefined) return [];
  if (!Array.isArray(items)) throw new StepError('The items of the loop are not a list');
  if (items.length > ITEMS_MAX) throw new StepError(`The loop has ${items.length} items; ${ITEMS_MAX} are the limit`);
  return items;
}
