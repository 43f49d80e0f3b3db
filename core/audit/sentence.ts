import { AUDIT_ACTIONS, type AuditTexts } from '@partner-portal/contract/audit-actions.ts';
import { PROVIDER_RULES } from '../credential/credential.ts';

const WORDS: ReadonlyMap<string, AuditTexts> = new Map(Object.entries(AUDIT_ACTIONS));

/** What a sentence needs of an entry of the audit log. */
export type AuditSentenceEntry = {
  action: string;
  result: 'ok' | 'refused';
  actor: { type: 'user' | 'staff' | 'system'; name: string | null; email: string | null; via: object | null };
  target: { label: string | null } | null;
  clientName: string | null;
};

/** An entry as a person would tell it, in parts so that names can be set off: "Maya Lindqvist" + "paused Missed-call text-back". */
export function describeAuditEntry(entry: AuditSentenceEntry): { who: string; what: string } {
  const words = WORDS.get(entry.action);
  const who = entry.actor.via && entry.clientName ? `${whoOf(entry, words)}, viewing as ${entry.clientName},` : whoOf(entry, words);
  // An action that is in no version of the table any more still happened.
  if (!words) return { who, what: entry.result === 'ok' ? `did ${entry.action}` : `tried ${entry.action}` };
  const sentence = entry.result === 'ok' ? words.did : `tried to ${words.tried}`;
  const target = nameOf(entry) ?? words.thing ?? '';
  return { who, what: sentence.replace('{target}', target).trimEnd() };
}

/** How the target is called; a key is called like its service. */
function nameOf({ action, target }: AuditSentenceEntry): string | null {
  const label = target?.label ?? null;
  if (!action.startsWith('credential.')) return label;
  return Object.entries(PROVIDER_RULES).find(([provider]) => provider === label)?.[1].title ?? label;
}

function whoOf({ actor, target }: AuditSentenceEntry, words: AuditTexts | undefined): string {
  if (actor.type === 'system') {
    if (words?.by === 'somebody') return 'Somebody';
    if (words?.by === 'target') return target?.label ?? words.thing ?? 'Somebody';
    return 'The service';
  }
  return actor.name ?? actor.email ?? (actor.type === 'staff' ? 'Platform staff' : 'A former member');
}
