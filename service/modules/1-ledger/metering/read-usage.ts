import type { Actor } from '#platform/actor.ts';
import { inScope } from '#platform/db/scope.ts';
import { refuseUnknownScope } from '#modules/1-ledger/scope/index.ts';
import { refuse } from '#platform/refuse.ts';
import type { MeteringDeps } from './deps.ts';
import { usageByAgent, usageByClient, usageByDay, usageByKind, usageByPartner, type UsageRow, type UsageScope } from './store-usage.ts';

const DEFAULT_DAYS = 30;
const HOUR_MS = 3_600_000;
const KIND_LABELS: Record<string, string> = {
  run: 'Runs',
  ai_tokens: 'AI tokens',
  purchase: 'Purchases',
  grant: 'Grants',
  adjustment: 'Adjustments',
};

type UsageQuery = {
  partnerId?: string | undefined;
  clientId?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
  groupBy: 'day' | 'client' | 'agent' | 'kind' | 'partner';
};

/**
 * Returns usage by day, client, agent, kind or, for staff, partner; the last thirty days by default. Clients see what their runs cost.
 * Refuses `scope_forbidden` for partners to anyone else.
 */
export async function readUsage({ db, clock }: MeteringDeps, actor: Actor, query: UsageQuery): Promise<UsageRow[]> {
  const to = query.to ? new Date(query.to) : clock.now();
  const from = query.from ? new Date(query.from) : new Date(to.getTime() - DEFAULT_DAYS * 86_400_000);
  if (from > to) return refuse('invalid_query', { detail: 'The query parameter "from" is after "to".' });
  if (query.groupBy === 'partner' && actor.role !== 'ADMIN') return refuse('scope_forbidden', { detail: 'Usage by agency is for staff.' });
  // Hours are counted, so a range is that of the hours which begin in it.
  const hours = { from: nextHour(from), to: nextHour(to) };
  return inScope(db, actor, query.partnerId, async (tx, partnerId) => {
    const clientId = actor.clientId ?? query.clientId ?? null;
    if (query.clientId !== undefined && clientId !== query.clientId) return refuse('not_found');
    if (query.partnerId !== undefined || query.clientId !== undefined)
      await refuseUnknownScope(tx, { partnerId, clientId: query.clientId }, 0);
    const scope: UsageScope = { partnerId, clientId, ...hours, runsOnly: actor.role === 'CLIENT' };
    switch (query.groupBy) {
      case 'client':
        return usageByClient(tx, scope);
      case 'agent':
        return usageByAgent(tx, scope);
      case 'partner':
        return usageByPartner(tx, scope);
      case 'day':
        return usageByDay(tx, scope);
      case 'kind':
        return (await usageByKind(tx, scope)).map((row) => ({ ...row, label: KIND_LABELS[row.key] ?? row.label }));
    }
  });
}

function nextHour(at: Date): Date {
  return new Date(Math.ceil(at.getTime() / HOUR_MS) * HOUR_MS);
}
