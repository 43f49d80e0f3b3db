import { defineHandlers } from '#platform/http/context.ts';
import type { MeteringDeps } from './deps.ts';
import { exportLedger, listLedger } from './list-ledger.ts';
import { readQuota } from './read-quota.ts';
import { readUsage } from './read-usage.ts';

export function meteringHandlers(deps: MeteringDeps) {
  return defineHandlers({
    getQuota: ({ query }, { actor }) => readQuota(deps, actor, query.partnerId),
    getUsage: ({ query }, { actor }) => readUsage(deps, actor, query),
    listLedger: ({ query }, { actor }) => listLedger(deps, actor, query),
    exportLedger: ({ query }, { actor, now }) => exportLedger(deps, actor, query, now),
  });
}
