import { plural } from '../ui/text/format.ts';

/** AI tokens on a platform key are charged also when the run fails (docs/behaviour/plans-and-quota.md, PLAN-12). */
export const KEY_CALLS = 'AI tokens on platform keys are charged in any case';

/** Returns the price of a run of an agent with what may come on top. */
export function runCost(price: string, { callsModel }: { callsModel: boolean }): string {
  return callsModel ? `${price}; ${KEY_CALLS}` : price;
}

/** Returns what a run that ended cost. */
export function costSentence(credits: number): string {
  return `It cost ${credits === 0 ? 'nothing' : plural(credits, 'credit')}.`;
}
