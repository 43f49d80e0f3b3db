/** AI tokens on a platform key are charged also when the run fails (docs/behaviour/plans-and-quota.md, PLAN-12). */
export const KEY_CALLS = 'calls on keys of the platform cost in any case';

/** Returns the price of a run of an agent with what may come on top. */
export function runCost(price: string, { callsModel }: { callsModel: boolean }): string {
  return callsModel ? `${price}; ${KEY_CALLS}` : price;
}
