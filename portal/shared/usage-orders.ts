import { oneOf } from '../app/search-params.ts';

/** Orders of usage by client, agent or agency, as an address names them; most credits first is the one without a name. */
export const usageOrder = oneOf(['label', '-label', 'runs', '-runs', 'credits']);
export type UsageOrder = NonNullable<ReturnType<typeof usageOrder>>;
