import type { DeletionRequest } from '../../queries/account.ts';
import { nameOf } from './words.ts';

/** Who gets the note of a decision: everyone of the side that asked. */
export function notedOf(person: DeletionRequest['requestedBy']): string {
  return person === null ? 'The people of the account' : `${nameOf(person)} and colleagues`;
}
