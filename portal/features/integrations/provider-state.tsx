import { formatDay, formatNumber, formatWhen, plural } from '../../ui/text/format.ts';
import { Status } from '../../ui/feedback/badge.tsx';
import type { MarkKind } from '../../ui/feedback/mark.tsx';
import type { Credential, RequirementCounts, Stored } from '../../queries/credentials.ts';

export type ProviderView = {
  provider: Stored;
  /** The partner's default, or the effective credential of one client. */
  row: Credential | undefined;
  /** Rows of clients with their own key; empty on the page of one client. */
  own: readonly Credential[];
  agents: number;
  /** Clients, and the agency itself, whose agents need it and have none. */
  missing: number;
};

/** Stored credentials of one service and the agents that need it. */
export function viewOf(
  provider: Stored,
  credentials: readonly Credential[],
  counts: RequirementCounts,
  clientId: string | undefined,
): ProviderView {
  const rows = credentials.filter((row) => row.provider === provider);
  const needed = counts.providers.find((one) => one.provider === provider);
  return {
    provider,
    row: clientId ? rows[0] : rows.find((row) => row.clientId === null),
    own: clientId ? [] : rows.filter((row) => row.clientId !== null),
    agents: needed?.agents ?? 0,
    missing: needed?.missing ?? 0,
  };
}

/** Returns the source of the effective key as title and note. */
export function sourceOf({ row, own }: ProviderView): { title: string; note: string } {
  if (!row) return own.length > 0 ? { title: 'Per client', note: 'No agency default' } : { title: 'None', note: 'No key saved' };
  if (row.inherited)
    return {
      title: 'Agency default',
      note: row.sourceMode === 'platform' ? 'Platform, metered in credits' : `Saved ${formatDay(row.updatedAt)}`,
    };
  if (row.sourceMode === 'platform') return { title: 'Platform', note: 'Metered in credits' };
  return { title: row.clientId ? 'Own key' : 'Agency key', note: `Saved ${formatDay(row.updatedAt)}` };
}

export function ProviderState({ view }: { view: ProviderView }) {
  const [mark, tone, words] = stateOf(view);
  return (
    <Status mark={mark} {...(tone ? { tone } : {})}>
      {words}
    </Status>
  );
}

function stateOf({ row, own, missing }: ProviderView): [MarkKind, 'bad' | 'warn' | undefined, string] {
  const refused = own.filter((one) => one.lastCheck?.ok === false);
  if (row?.lastCheck?.ok === false) return ['bad', 'bad', `Refused at ${formatWhen(row.lastCheck.at)}`];
  if (refused.length > 0) return ['bad', 'bad', `${plural(refused.length, 'client key')} refused`];
  if (row && !row.configured) return ['warn', 'warn', row.notInPlan ? 'Not in the plan: save your own key' : 'No platform key available'];
  if (missing > 0)
    return ['warn', 'warn', missing === 1 ? 'Missing for 1 who needs it' : `Missing for ${formatNumber(missing)} who need it`];
  const all = row ? [row, ...own] : own;
  if (all.length === 0) return ['none', undefined, 'Not connected'];
  const unchecked = all.filter((one) => !one.lastCheck && one.sourceMode === 'byok');
  if (unchecked.length > 0)
    return ['warn', 'warn', all.length === 1 ? 'Not checked yet' : `${unchecked.length} of ${all.length} not checked yet`];
  if (all.some((one) => one.tls === 'failed' || one.tls === 'not_verified')) return ['warn', 'warn', 'Certificate not verified'];
  const newest = all
    .map((one) => one.lastCheck?.at ?? '')
    .toSorted()
    .at(-1);
  return ['ok', undefined, newest ? `Working, checked ${formatWhen(newest)}` : 'Working'];
}
