/** Next to each price of a run: AI tokens on a platform key are charged also when the run fails (docs/behaviour/plans-and-quota.md, PLAN-12). */
export const KEY_CALLS = 'calls on keys of the platform cost in any case';
