import { AUDIT_ACTIONS, type AuditTexts } from '@partner-portal/contract/audit-actions.ts';
import { PROVIDER_RULES } from '../credential/provider-rules.ts';

const TEXTS: ReadonlyMap<string, AuditTexts> = new Map(Object.entries(AUDIT_ACTIONS));

/** The members of an audit entry that its sentence is made of. */
export type AuditSentenceEntry = {
  action: string;
  result: 'ok' | 'refused';
  actor: { type: 'user' | 'staff' | 'system'; name: string | null; email: string | null; via: object | null };
  target: { label: string | null } | null;
  clientName: string | null;
};

/** Describes an entry as a sentence, in two parts so that the name can be emphasized: "Maya Lindqvist" + "paused Missed-call text-back". */
export function describeAuditEntry(entry: AuditSentenceEntry): { who: string; what: string } {
  const texts = TEXTS.get(entry.action);
  const actor = actorName(entry, texts);
  const who = entry.actor.via && entry.clientName ? `${actor}, viewing as ${entry.clientName},` : actor;
  // Entries outlive actions that were removed from the table.
  if (!texts) return { who, what: entry.result === 'ok' ? `did ${entry.action}` : `tried ${entry.action}` };
  const sentence = entry.result === 'ok' ? texts.did : `tried to ${texts.tried}`;
  const target = targetName(entry) ?? texts.thing ?? '';
  return { who, what: sentence.replace('{target}', target).trimEnd() };
}

/** Returns the name of the target; a credential is named after its provider, and an invoice is said to be one, as its number alone says nothing. */
function targetName({ action, target }: AuditSentenceEntry): string | null {
  const label = target?.label ?? null;
  if (label !== null && action.startsWith('invoice.')) return `invoice ${label}`;
  if (!action.startsWith('credential.')) return label;
  return Object.entries(PROVIDER_RULES).find(([provider]) => provider === label)?.[1].title ?? label;
}

function actorName({ actor, target }: AuditSentenceEntry, texts: AuditTexts | undefined): string {
  if (actor.type === 'system') {
    if (texts?.by === 'unknown') return 'Someone';
    if (texts?.by === 'target') return target?.label ?? texts.thing ?? 'Someone';
    return 'The service';
  }
  return actor.name ?? actor.email ?? (actor.type === 'staff' ? 'Platform staff' : 'A former member');
}
