import { runStatement } from '#platform/db/statements.ts';
import type { SystemTx, Tx } from '#platform/db/tx.ts';

/** What a mail about a visitor needs to know of its address and the client. */
export type Desk = {
  /** The address is that of an active user of the client. */
  isClientUser: boolean;
  /** The language of the client, for an address without an account. */
  locale: string | null;
  /** The zone of the client, or of its agency. */
  timezone: string;
};

/** Columns of a `Desk`, of an address and a client `k` of a partner `p`. */
const deskOf = (address: string): string =>
  `exists (select from app_user u where u.client_id = k.id and lower(u.email) = lower(${address}) and u.status = 'active') as is_client_user,
        case when not email_has_user(${address}) then k.locale end as locale, coalesce(k.timezone, p.timezone) as timezone`;

/** Returns who reads the hand-over address of a client. */
export async function readDesk(tx: Tx, email: string, clientId: string): Promise<Desk> {
  const [row] = await runStatement<'conversations_desk', Desk>(tx, {
    name: 'conversations_desk',
    text: `select ${deskOf('$1')} from client k join partner p on p.id = k.partner_id where k.id = $2`,
    values: [email, clientId],
  });
  if (!row) throw new Error(`Cannot mail: no client ${clientId} in this transaction.`);
  return row;
}

/** Returns how many conversations of a client began to wait for a person within the last hour and still do, at most `most`. */
export async function countNewlyWaiting(tx: Tx, clientId: string, most: number): Promise<number> {
  const [row] = await runStatement<'conversations_newly_waiting', { waiting: number }>(tx, {
    name: 'conversations_newly_waiting',
    text: `select count(*)::int as waiting from (select 1 from conversation
      where client_id = $1 and last_message_at > now() - interval '1 hour' and waiting_since > now() - interval '1 hour' limit $2) few`,
    values: [clientId, most],
  });
  return row?.waiting ?? 0;
}

export type Waiting = Desk & {
  id: string;
  partnerId: string;
  clientId: string;
  clientName: string;
  visitorLabel: string;
  handoffEmail: string;
  minutes: number;
  waitingSince: Date;
  lastVisitorText: string | null;
  /** How many of the client were reminded of within the last hour, before this batch. */
  reminded: number;
};

/**
 * Takes conversations whose visitor has waited for the minutes of the settings and is not reminded of yet, while the plan has chatbots. They are marked in the same
 * statement, so that of two processes one has them. A day later it is too late, as after a suspension: the text names the minutes of the settings.
 */
export async function takeWaiting(tx: SystemTx, limit: number): Promise<Waiting[]> {
  return runStatement<'conversations_take_waiting', Waiting>(tx, {
    name: 'conversations_take_waiting',
    text: `with due as (
        select c.id from conversation c join chatbot b on b.id = c.chatbot_id join partner p on p.id = c.partner_id join client k on k.id = c.client_id
        where c.waiting_since is not null and c.reminded_at is null and c.status = 'handed_off'
          and c.waiting_since between now() - b.reminder_minutes * interval '1 minute' - interval '1 day' and now() - b.reminder_minutes * interval '1 minute' and p.status = 'active' and k.status = 'active'
          and has_feature(c.partner_id, 'chatbot')
        order by c.waiting_since limit $1 for update of c skip locked),
      taken as (update conversation c set reminded_at = now() from due where c.id = due.id returning c.*)
      select t.id, t.partner_id, t.client_id, k.name as client_name, t.visitor_label, b.handoff_email, b.reminder_minutes as minutes, t.waiting_since,
        (select m.content from conversation_message m where m.conversation_id = t.id and m.author = 'visitor' order by m.id desc limit 1) as last_visitor_text,
        ${deskOf('b.handoff_email')},
        (select count(*)::int from (select 1 from conversation o where o.client_id = t.client_id and o.last_message_at > now() - interval '2 days'
          and o.reminded_at > now() - interval '1 hour' limit 100) few) as reminded
      from taken t join chatbot b on b.id = t.chatbot_id join client k on k.id = t.client_id join partner p on p.id = t.partner_id`,
    values: [limit],
  });
}
