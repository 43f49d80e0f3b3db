import { defaultTextsOf } from '@partner-portal/catalog/index.ts';
import type { DefaultTexts } from '@partner-portal/core/template/texts.ts';
import type { Template } from '@partner-portal/core/template/types.ts';
import { findReadingClient } from '#modules/2-tenancy/clients/index.ts';
import type { Tx } from '#platform/db/tx.ts';

/**
 * Returns the texts that a new agent of this owner begins with. They are stored as its own, so that it writes on in them when the language of the client
 * changes; English ones stand in the catalog alone.
 */
export async function readFirstTexts(
  tx: Tx,
  { partnerId, clientId }: { partnerId: string; clientId: string | null },
): Promise<(template: Template | undefined) => DefaultTexts> {
  const client = await findReadingClient(tx, partnerId, clientId);
  return (template) => (template && client ? defaultTextsOf(template, client.locale) : {});
}
