import type { Tx } from '#platform/db/tx.ts';
import { queueReading } from '../reading/read-document.ts';
import { refreshWords } from '../reading/store.ts';
import { deleteText, putOwnDocument, renewProfiles } from '../store-documents.ts';

type Owner = { id: string; partnerId: string; clientId: string };

/** Has the profile of a new chatbot's client read. */
export async function queueOwnKnowledge(tx: Tx, chatbot: Owner, businessName: string): Promise<void> {
  await queueReading(tx, [await putOwnDocument(tx, chatbot, { kind: 'profile', title: `About ${businessName}`, sizeBytes: 0 })]);
}

/** Has the text of the settings read again; an empty one is known no more. */
export async function queueText(tx: Tx, chatbot: Owner, text: string): Promise<void> {
  if (text.trim() !== '') {
    const document = { kind: 'text', title: 'Information', sizeBytes: Buffer.byteLength(text) } as const;
    await queueReading(tx, [await putOwnDocument(tx, chatbot, document)]);
  } else if (await deleteText(tx, chatbot.id)) await refreshWords(tx, chatbot);
}

/** Has the profiles of changed clients read again. */
export async function rereadProfiles(tx: Tx, clients: readonly { clientId: string }[]): Promise<void> {
  await queueReading(tx, await renewProfiles(tx, [...new Set(clients.map(({ clientId }) => clientId))]));
}
