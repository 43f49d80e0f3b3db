import type { ClientRef } from '#modules/2-tenancy/clients/index.ts';
import type { Tx } from '#platform/db/tx.ts';
import { profileTitle, textTitle } from '../own-words.ts';
import { queueReading } from '../reading/read-document.ts';
import { refreshWords } from '../reading/store.ts';
import { deleteText, putOwnDocument, renewProfiles } from '../store-documents.ts';

type Owner = { id: string; partnerId: string; clientId: string };

/** Has the profile of a new chatbot's client read. */
export async function queueOwnKnowledge(tx: Tx, chatbot: Owner, client: Pick<ClientRef, 'name' | 'locale'>): Promise<void> {
  await putOwnDocument(tx, chatbot, { kind: 'profile', title: profileTitle(client), sizeBytes: 0 });
  await queueReading(tx);
}

/** Has the text of the settings read again; an empty one is known no more. */
export async function queueText(tx: Tx, chatbot: Owner, { locale }: Pick<ClientRef, 'locale'>, text: string): Promise<void> {
  if (text.trim() !== '') {
    await putOwnDocument(tx, chatbot, { kind: 'text', title: textTitle(locale), sizeBytes: Buffer.byteLength(text) });
    await queueReading(tx);
  } else if (await deleteText(tx, chatbot.id)) await refreshWords(tx, chatbot);
}

/** Has the profiles of changed clients read again. */
export async function rereadProfiles(tx: Tx, clients: readonly { clientId: string }[]): Promise<void> {
  if (await renewProfiles(tx, [...new Set(clients.map(({ clientId }) => clientId))])) await queueReading(tx);
}
