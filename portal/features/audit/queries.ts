import type { AuditAction } from '@partner-portal/contract/audit-actions.ts';
import { AUDIT_RESULTS } from '@partner-portal/contract/vocabulary.ts';
import { queryOptions } from '@tanstack/react-query';
import { api, type Reply } from '../../app/api.ts';
import { pagedQuery } from '../../app/paged-query.ts';
import { idParam, oneOf, type SearchOf, searchParser, textParam } from '../../app/search-params.ts';
import { startOfDay } from '../../ui/text/format.ts';
import { keys } from '../../queries/keys.ts';

export type AuditEntry = Reply<'listAuditLog'>['data'][number];

export const TIMES = ['today', '7d', '30d', '90d'] as const;
export type Times = (typeof TIMES)[number];

/** The partner whose log staff read; every partner if absent. */
export type AuditScope = { partner?: string | undefined };

/** The filters of the log, as its address carries them; `entry` is the entry open next to the list. */
export const parseAuditSearch = searchParser({
  action: actionParam,
  /** An id, an e-mail address, or staff, user, system. */
  actor: textParam,
  result: oneOf(AUDIT_RESULTS),
  time: oneOf(TIMES),
  target: idParam,
  /** The client of the switcher; agency dashboard only. */
  client: idParam,
  entry: idParam,
});
export type AuditSearch = SearchOf<typeof parseAuditSearch>;

/** Accepts any text in the format of an action, because the list of actions would be loaded with the first page. An unknown action is left out of the query. */
function actionParam(value: unknown): AuditAction | undefined {
  return typeof value === 'string' && /^[a-z_]+\.[a-z_]+$/.test(value) ? (value as AuditAction) : undefined; // compared with the list in knownQuery
}

const DAYS_BACK: Record<Times, number> = { today: 0, '7d': 6, '30d': 29, '90d': 89 };

/** Filters as the API asks for them. Days begin at midnight where the reader is. */
export function auditQuery({ action, actor, result, time, target, client, partner }: AuditSearch & AuditScope) {
  return { action, actor, result, targetId: target, clientId: client, partnerId: partner, from: time && startOf(time) };
}

/** Returns the query without an unknown action. */
export async function knownQuery(query: ReturnType<typeof auditQuery>) {
  if (query.action === undefined) return query;
  const { AUDIT_ACTION_NAMES } = await import('@partner-portal/contract/audit-actions.ts');
  return AUDIT_ACTION_NAMES.includes(query.action) ? query : { ...query, action: undefined };
}

function startOf(time: Times): string {
  return startOfDay(DAYS_BACK[time]).toISOString();
}

export const auditListQuery = (filters: AuditSearch & AuditScope) => {
  const query = auditQuery(filters);
  return pagedQuery(keys.audit.list(query), async ({ cursor, signal }) =>
    api.listAuditLog({ query: { ...(await knownQuery(query)), cursor }, signal }),
  );
};

/** One entry by its id, for an address that names one the list has not loaded: the id itself says when it was written. */
export const auditEntryQuery = (id: string, { partner }: AuditScope) =>
  queryOptions({
    queryKey: keys.audit.one(id, partner),
    queryFn: async ({ signal }) => {
      const writtenAt = Number.parseInt(id.replace('-', '').slice(0, 12), 16);
      const [from, to] = [writtenAt - 60_000, writtenAt + 1].map((ms) => new Date(ms).toISOString());
      const { data } = await api.listAuditLog({ query: { partnerId: partner, from, to, limit: 100 }, signal });
      return data.find((entry) => entry.id === id) ?? null;
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
