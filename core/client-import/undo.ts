import type { ClientImportField } from '@partner-portal/contract/vocabulary.ts';
import { FIELD_LABELS } from './columns.ts';

type Changes = Readonly<Record<string, readonly [unknown, unknown]>>;

/** Returns the change that takes back what an import changed, or why it is not taken back: the client was changed since, or is no longer in use. */
export function restorable(
  client: (Readonly<Record<string, unknown>> & { status: string }) | undefined,
  changes: Changes,
): { changes: Record<string, [unknown, unknown]> } | { reason: string } {
  if (!client || client.status === 'deleted') return { reason: 'This client has since been deleted.' };
  if (client.status === 'archived') return { reason: 'This client has since been archived.' };
  const other = Object.entries(changes).flatMap(([field, [, after]]) => (same(client[field], after) ? [] : [labelOf(field)]));
  if (other.length > 0) return { reason: `Changed since the import: ${other.join(', ')}.` };
  return { changes: Object.fromEntries(Object.entries(changes).map(([field, [before, after]]) => [field, [after, before]])) };
}

/** In the order in which they are worth saying. */
const HELD: readonly (readonly [table: string, text: string])[] = [
  ['workflow', 'This client has agents.'],
  ['agent_request', 'Agents were requested for this client.'],
  ['app_user', 'This client has people.'],
  ['invitation', 'People were invited to this client.'],
  ['execution', 'Agents ran for this client.'],
  ['credential', 'Keys were added to this client.'],
  ['conversation', 'This client has conversations.'],
  ['file', 'This client has files.'],
  ['changed', 'This client has since been changed.'],
];

/** Why a client that an import added stays: what was added to it since, by the tables that hold it. */
export function heldText(heldBy: string): string {
  const found = new Set(heldBy.split(' '));
  return HELD.find(([table]) => found.has(table))?.[1] ?? 'Something was added to this client.';
}

function labelOf(field: string): string {
  return field === 'businessProfile' ? 'business profile' : (FIELD_LABELS[field as ClientImportField] ?? field).toLowerCase(); // a field of the import, or shown as it is
}

function same(one: unknown, other: unknown): boolean {
  return JSON.stringify(one ?? null) === JSON.stringify(other ?? null);
}
