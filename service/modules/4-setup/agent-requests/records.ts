import type { Provider } from '@partner-portal/contract/vocabulary.ts';
import { missingProviders } from '@partner-portal/core/credential/resolution.ts';
import { isDone } from '@partner-portal/core/provisioning/agent-request.ts';
import { missingSettings } from '@partner-portal/core/template/settings.ts';
import { readCredentials } from '#modules/3-product/credentials/index.ts';
import type { Actor } from '#platform/actor.ts';
import type { Tx } from '#platform/db/tx.ts';
import type { AgentRequestsDeps } from './deps.ts';
import type { RequestRow, TimelineEntry } from './store.ts';

type Deps = Pick<AgentRequestsDeps, 'templateOf' | 'platformProviders'>;
type Subject = Pick<RequestRow, 'partnerId' | 'clientId' | 'templateName'>;

/** Returns the credentials each request's template lacks, in the order of the rows, from one read for all. */
export async function loadMissing(deps: Deps, tx: Tx, rows: readonly Subject[]): Promise<Provider[][]> {
  if (rows.length === 0) return [];
  const resolve = await readCredentials(tx, rows, deps.platformProviders);
  return rows.map((row) => {
    const template = row.templateName === null ? undefined : deps.templateOf(row.templateName);
    return template ? missingProviders(template.requiredConnections, row, resolve) : [];
  });
}

/** Returns the required settings that are empty: those of the agent, or those it would be installed with. A request that comes to nothing lacks none. */
export function lackingSettings(
  deps: Pick<Deps, 'templateOf'>,
  row: RequestRow,
): { key: string; label: string; fromProfile: string | null }[] {
  const template = row.templateName === null ? undefined : deps.templateOf(row.templateName);
  if (!template || (isDone(row.status) && row.workflowId === null)) return [];
  return missingSettings(template, row.agentConfig ?? row.config, row.businessProfile).map(({ key, label, fromProfile = null }) => ({
    key,
    label,
    fromProfile,
  }));
}

/** Maps requests to the record of the contract, as this reader may see them. */
export async function toRequests(deps: Deps, tx: Tx, rows: readonly RequestRow[], actor: Pick<Actor, 'role'>) {
  const missing = await loadMissing(deps, tx, rows);
  return rows.map((row, index) => {
    const {
      externalRef: _ref,
      missingProviders: _providers,
      dueAt,
      run: _run,
      agentConfig: _config,
      businessProfile: _profile,
      ...record
    } = row;
    const template = row.templateName === null ? undefined : deps.templateOf(row.templateName);
    const forClient = actor.role === 'CLIENT';
    const forStaff = actor.role === 'ADMIN';
    return {
      ...record,
      config: row.config as Record<string, never>, // stored as JSON
      icon: template?.icon ?? 'sparkles',
      // An agency does not see which staff member decided; a client reads its agency's note, not the one of staff.
      reviewedBy: forStaff ? row.reviewedBy : null,
      decisionNote: forClient && row.status !== 'declined' ? null : row.decisionNote,
      lastAttemptId: forClient ? null : row.lastAttemptId,
      failureMessage: forClient ? null : row.failureMessage,
      waiting: row.status === 'approved' && dueAt !== null,
      missingConnections: forClient || isDone(row.status) ? [] : (missing[index] ?? []),
      missingSettings: lackingSettings(deps, row),
      timeline: row.timeline.map((entry) => entryFor(entry, { forClient, forStaff })),
    };
  });
}

export async function toRequest(deps: Deps, tx: Tx, row: RequestRow, actor: Pick<Actor, 'role'>) {
  const [answer] = await toRequests(deps, tx, [row], actor);
  if (!answer) throw new Error('A request was not mapped.');
  return answer;
}

function entryFor(entry: TimelineEntry, { forClient, forStaff }: { forClient: boolean; forStaff: boolean }): TimelineEntry {
  const person = entry.actor.type === 'user' || forStaff;
  return {
    ...entry,
    actor: person ? entry.actor : { type: entry.actor.type, id: null, name: null },
    note: forClient && entry.actor.type !== 'user' ? null : entry.note,
  };
}
