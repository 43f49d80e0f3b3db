import type { Locale } from '@partner-portal/contract/vocabulary.ts';
import { localeOf } from '@partner-portal/messages/locale.ts';
import type { Actor } from '#platform/actor.ts';
import type { Tx } from '#platform/db/tx.ts';
import { findLocale } from './store.ts';

/**
 * Returns the language of texts for this reader: a client's own. Agencies and staff read English, also where they view a client's portal.
 */
export async function readerLocale(tx: Tx, actor: Pick<Actor, 'role' | 'userId' | 'readOnly'>): Promise<Locale> {
  if (actor.role !== 'CLIENT' || actor.readOnly) return 'en';
  return localeOf(await findLocale(tx, actor.userId));
}
