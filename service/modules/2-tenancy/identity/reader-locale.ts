import type { Locale } from '@partner-portal/contract/vocabulary.ts';
import { localeOf } from '@partner-portal/messages/locale.ts';
import type { Actor } from '#platform/actor.ts';
import { runStatement } from '#platform/db/statements.ts';
import type { Tx } from '#platform/db/tx.ts';

/**
 * Returns the language of texts for this reader: a client's own. Agencies and staff read English, also where they view a client's portal.
 */
export async function readerLocale(tx: Tx, actor: Pick<Actor, 'role' | 'userId' | 'readOnly'>): Promise<Locale> {
  if (actor.role !== 'CLIENT' || actor.readOnly) return 'en';
  const [row] = await runStatement<'identity_reader_locale', { locale: string }>(tx, {
    name: 'identity_reader_locale',
    text: 'select locale from app_user where id = $1',
    values: [actor.userId],
  });
  return localeOf(row?.locale);
}
