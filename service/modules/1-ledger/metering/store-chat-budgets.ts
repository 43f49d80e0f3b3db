import type { ChatBudget } from '@partner-portal/core/quota/chat-budget.ts';
import { runStatement } from '#platform/db/statements.ts';
import type { Database, SystemTx, Tx } from '#platform/db/tx.ts';

/** Budgets of an agency's chatbots: credits of a day (UTC), and a percentage of its period's credits. */
export type ChatBudgetSettings = { sharePercent: number; conversationCredits: number; visitorCredits: number; chatbotCredits: number };

export type ChatBudgetFacts = ChatBudgetSettings & {
  /** Credits of the period: used or held by all, and by chatbots; how many chatbots may use, and up to which credit. */
  taken: number;
  limit: number;
  share: number;
  ceiling: number;
  chatUsed: number;
  chatInFlight: number;
  resetsAt: Date;
  /** Budgets that had no room for an answer in this period and were not raised since. */
  isShareReached: boolean;
  isReserveReached: boolean;
  /** Null: they were never changed. */
  changedAt: Date | null;
};

const SETTINGS = `q.chat_share_percent as share_percent, q.chat_conversation_credits as conversation_credits, q.chat_visitor_credits as visitor_credits, q.chatbot_credits`;

/** Returns the budgets of an agency and what chatbots used of its period; undefined for the house partner. */
export async function readChatBudgets(tx: Tx, partnerId: string): Promise<ChatBudgetFacts | undefined> {
  const [row] = await runStatement<'metering_chat_budgets', ChatBudgetFacts>(tx, {
    name: 'metering_chat_budgets',
    text: `select ${SETTINGS}, q.used + q.in_flight as taken, q.monthly_credits + q.purchased_credits as limit, x.share, x.ceiling,
        q.chat_used, q.chat_in_flight, q.period_end as resets_at,
        coalesce(x.share <= q.chat_share_reached, false) as is_share_reached, coalesce(x.ceiling <= q.chat_reserve_reached, false) as is_reserve_reached,
        q.chat_budgets_changed_at as changed_at
      from partner_quota q cross join lateral (select chat_share(q.monthly_credits + q.purchased_credits, q.chat_share_percent) as share,
        chat_ceiling(q.monthly_credits + q.purchased_credits) as ceiling) x
      where q.partner_id = $1::uuid`,
    values: [partnerId],
  });
  return row;
}

/** Locks and returns the budgets of an agency, and changes those that are given. Returns them as they were and as they are. */
export async function changeChatBudgets(
  tx: Tx,
  partnerId: string,
  change: { [Name in keyof ChatBudgetSettings]?: number | undefined },
  ifMatch: (changedAt: Date | null) => void,
): Promise<{ before: ChatBudgetSettings; after: ChatBudgetSettings } | undefined> {
  const [row] = await runStatement<'metering_chat_lock', ChatBudgetSettings & { changedAt: Date | null }>(tx, {
    name: 'metering_chat_lock',
    prepare: false,
    text: `select ${SETTINGS}, q.chat_budgets_changed_at as changed_at from partner_quota q where q.partner_id = $1::uuid for update`,
    values: [partnerId],
  });
  if (!row) return undefined;
  const { changedAt, ...before } = row;
  ifMatch(changedAt);
  const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
  const after: ChatBudgetSettings = { ...before, ...given };
  await runStatement(tx, {
    name: 'metering_chat_change',
    prepare: false,
    text: `update partner_quota set chat_share_percent = $2, chat_conversation_credits = $3, chat_visitor_credits = $4, chatbot_credits = $5,
        chat_budgets_changed_at = greatest(now(), chat_budgets_changed_at + interval '1 ms')
      where partner_id = $1::uuid and (chat_share_percent, chat_conversation_credits, chat_visitor_credits, chatbot_credits) is distinct from ($2, $3, $4, $5)`,
    values: [partnerId, after.sharePercent, after.conversationCredits, after.visitorCredits, after.chatbotCredits],
  });
  return { before, after };
}

export type ChatSpendingRow = { chatbotId: string; used: number; held: number; isReached: boolean };

/** Returns what chatbots of an agency used today (UTC): one of them, or those that used most. */
export async function readChatSpending(tx: Tx, partnerId: string, chatbotId: string | null, limit: number): Promise<ChatSpendingRow[]> {
  return runStatement<'metering_chat_spending', ChatSpendingRow>(tx, {
    name: 'metering_chat_spending',
    prepare: false,
    text: `select s.subject as chatbot_id, s.used, s.held, coalesce(s.reached_limit >= q.chatbot_credits, false) as is_reached
      from chat_spending s join partner_quota q on q.partner_id = s.partner_id
      where s.partner_id = $1::uuid and s.scope = 'chatbot' and s.day = (now() at time zone 'UTC')::date and ($2::uuid is null or s.subject = $2)
      order by s.used + s.held desc, s.subject limit $3`,
    values: [partnerId, chatbotId, limit],
  });
}

/** Records, as the tenant, that budgets had no room for an answer of this many credits. Returns whether this was the first record of it. */
export async function noteReachedBudgets(
  tx: Tx,
  chatbotId: string,
  { budgets, wanted }: { budgets: readonly ChatBudget[]; wanted: number },
): Promise<boolean> {
  const [row] = await runStatement<'metering_chat_reached', { isNew: boolean | null }>(tx, {
    name: 'metering_chat_reached',
    text: `select bool_or(note_chat_budget($1::uuid, t.name, $3)) as is_new from unnest($2::text[]) t(name)`,
    values: [chatbotId, [...budgets], wanted],
  });
  return row?.isNew ?? false;
}

const DAYS_KEPT = 1;
const BATCH = 5_000;

/** Deletes what was counted for days that are over. Calls that began before midnight settle on their day. Returns how many rows went. */
export async function forgetChatSpending({ db }: { db: Database }): Promise<number> {
  for (let deleted = 0; ;) {
    const count = await db.asSystem('sweep', deleteSome);
    deleted += count;
    if (count < BATCH) return deleted;
  }
}

async function deleteSome(tx: SystemTx): Promise<number> {
  const rows = await runStatement<'metering_chat_forget'>(tx, {
    name: 'metering_chat_forget',
    prepare: false,
    text: `delete from chat_spending s where (s.partner_id, s.scope, s.subject, s.day) in (
        select o.partner_id, o.scope, o.subject, o.day from chat_spending o where o.day < (now() at time zone 'UTC')::date - $1::int limit $2 for update skip locked)
      returning s.subject`,
    values: [DAYS_KEPT, BATCH],
  });
  return rows.length;
}
