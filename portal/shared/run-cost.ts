import { plural } from '../ui/text/format.ts';

/** AI tokens on a platform key are charged also when the run fails (docs/behaviour/plans-and-quota.md, PLAN-12). */
export const KEY_CALLS = 'AI tokens on platform keys are charged in any case';

/** Returns the price of a run of an agent with what may come on top. */
export function runCost(price: string, { callsModel }: { callsModel: boolean }): string {
  return callsModel ? `${price}; ${KEY_CALLS}` : price;
}

/** Returns what a run that ended cost: its credits are without those of its AI tokens. */
export function costSentence(credits: number, { callsModel }: { callsModel: boolean }): string {
  const price = credits === 0 ? 'nothing' : plural(credits, 'credit');
  return `It cost ${price}${callsModel ? `${credits === 0 ? ' but' : ' and'} any AI tokens on platform keys` : ''}.`;
}
