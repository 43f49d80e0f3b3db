import type { Provider } from '@partner-portal/contract/vocabulary.ts';
import { missingProviders } from '@partner-portal/core/credential/resolution.ts';
import { isDone } from '@partner-portal/core/provisioning/agent-request.ts';
import { readCredentials } from '#modules/3-product/credentials/index.ts';
import type { Actor } from '#platform/actor.ts';
import type { Tx } from '#platform/db/tx.ts';
import type { AgentRequestsDeps } from './deps.ts';
import type { RequestRow, TimelineEntry } from './store.ts';

type Deps = Pick<AgentRequestsDeps, 'templateOf' | 'platformProviders'>;
type Subject = Pick<RequestRow, 'partnerId' | 'clientId' | 'templateName'>;

/** The keys that each request's template still lacks, in the order of the rows. The keys of all of them are read at once. */
export async function readMissing(deps: Deps, tx: Tx, rows: readonly Subject[]): Promise<Provider[][]> {
  if (rows.length === 0) return [];
  const resolve = await readCredentials(tx, rows, deps.platformProviders);
  return rows.map((row) => {
    const template = row.templateName === null ? undefined : deps.templateOf(row.templateName);
    return template ? missingProviders(template.requiredConnections, row, resolve) : [];
  });
}

/** Requests in the contract's shape, as this reader may see them. */
export async function requestAnswers(deps: Deps, tx: Tx, rows: readonly RequestRow[], actor: Pick<Actor, 'role'>) {
  const missing = await readMissing(deps, tx, rows);
  return rows.map((row, index) => {
    const { externalRef: _ref, missingProviders: _providers, dueAt, run: _run, ...record } = row;
    const template = row.templateName === null ? undefined : deps.templateOf(row.templateName);
    const forClient = actor.role === 'CLIENT';
    const forStaff = actor.role === 'ADMIN';
    return {
      ...record,
      config: row.config as Record<string, never>, // stored as JSON
      icon: template?.icon ?? 'sparkles',
      // Staff are staff to an agency; a client hears what its agency says, not what staff told the agency.
      reviewedBy: forStaff ? row.reviewedBy : null,
      decisionNote: forClient && row.status !== 'declined' ? null : row.decisionNote,
      lastAttemptId: forClient ? null : row.lastAttemptId,
      failureMessage: forClient ? null : row.failureMessage,
      waiting: row.status === 'approved' && dueAt !== null,
      missingConnections: forClient || isDone(row.status) ? [] : (missing[index] ?? []),
      timeline: row.timeline.map((entry) => entryFor(entry, { forClient, forStaff })),
    };
  });
}

export async function requestAnswer(deps: Deps, tx: Tx, row: RequestRow, actor: Pick<Actor, 'role'>) {
  const [answer] = await requestAnswers(deps, tx, [row], actor);
  if (!answer) throw new Error('A request was not answered.');
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
