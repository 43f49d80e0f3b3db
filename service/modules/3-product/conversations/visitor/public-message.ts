import type { PublicMessageRow } from './store.ts';

/** A message as its visitor sees it: titles and excerpts of its sources, no ids. */
export function toPublicMessage(row: PublicMessageRow) {
  const sources = new Map(row.passages.map(({ title, excerpt }) => [`${title}\n${excerpt}`, { title, excerpt }]));
  return {
    id: row.id,
    author: row.author,
    authorName: row.authorName,
    text: row.content,
    sources: [...sources.values()],
    clientMessageId: row.clientMessageId,
    // Inside JSON of the database a time is text.
    at: new Date(row.at),
  };
}
