import type { Database } from '#platform/db/tx.ts';

/** Sends notifications outside any transaction, all in one statement. */
export async function sendNotices(db: Pick<Database, 'call'>, notices: readonly { channel: string; payload: string }[]): Promise<void> {
  await db.call({
    name: 'send_notices',
    text: 'select pg_notify(channel, payload) from unnest($1::text[], $2::text[]) as n(channel, payload)',
    values: [notices.map((one) => one.channel), notices.map((one) => one.payload)],
  });
}
