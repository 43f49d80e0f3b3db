import type { Locale } from '@partner-portal/contract/vocabulary.ts';
import { localeOf } from '@partner-portal/messages/locale.ts';
import type { Actor } from '#platform/actor.ts';
import type { Tx } from '#platform/db/tx.ts';
import { findLocale } from './store.ts';

type Reader = Pick<Actor, 'role' | 'userId' | 'readOnly'>;

/**
 * Returns the language of texts for this reader: a client's own. Agencies and staff read English, also where they view a client's portal.
 */
export async function readerLocale(tx: Tx, actor: Reader): Promise<Locale> {
  return localeOf(await readerTag(tx, actor));
}

/** Returns the same with the region of the reader, as BCP 47 tag: it says how their spreadsheets read a file. */
export async function readerTag(tx: Tx, actor: Reader): Promise<string> {
  if (actor.role !== 'CLIENT' || actor.readOnly) return 'en';
  return (await findLocale(tx, actor.userId)) ?? 'en';
}
