import type { MessageKey, Messages } from '@partner-portal/messages/messages.ts';

/** What the decision of a request to delete or reactivate an account leads to. */
export type AccountOutcome =
  | 'active'
  /** A client whose agency is suspended. */
  | 'active_with_agency'
  /** A client that was archived before its deletion was approved. */
  | 'archived_again'
  | 'archived_instead'
  | 'deletion_instead'
  | 'stays_suspended'
  | 'stays_as_it_is'
  | { suspendedUntil: Date }
  /** A rejected reactivation of an account whose approved deletion is still to come, or was due before. */
  | { removedFrom: Date }
  | { removedSince: Date };

const KEYS: Readonly<Record<Extract<AccountOutcome, string>, MessageKey>> = {
  active: 'mail.activeAgain',
  active_with_agency: 'mail.activeWithAgency',
  archived_again: 'mail.archivedAgain',
  archived_instead: 'mail.archivedInstead',
  deletion_instead: 'mail.deletionInstead',
  stays_suspended: 'mail.staysSuspended',
  stays_as_it_is: 'mail.staysAsItIs',
};

/** Returns it as a sentence, the same in the bell and by mail. `when` writes a moment in the agency’s time zone. */
export function accountOutcomeSentence(
  t: Messages['t'],
  outcome: AccountOutcome,
  { agency, when }: { agency: string; when: (at: Date) => string },
): string {
  if (typeof outcome === 'string') return t(KEYS[outcome], { agency });
  if ('removedFrom' in outcome) return t('mail.removedFrom', { when: when(outcome.removedFrom) });
  if ('removedSince' in outcome) return t('mail.removedSince', { when: when(outcome.removedSince) });
  return t('mail.suspendedUntil', { when: when(outcome.suspendedUntil) });
}
