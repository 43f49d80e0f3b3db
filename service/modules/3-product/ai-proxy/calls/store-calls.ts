import { type AiProvider, LIMITS, type SourceMode } from '@partner-portal/contract/vocabulary.ts';
import type { QuotaCrossing } from '@partner-portal/core/quota/thresholds.ts';
import { runStatement } from '#platform/db/statements.ts';
import type { Database, SystemTx } from '#platform/db/tx.ts';
import type { AiRequest } from './ai-request.ts';

/** State that decides whether an owner may call a model with a platform key, and at which price of a credit. */
export type OwnerFacts = {
  isActive: boolean;
  allowsPlatformKeys: boolean;
  creditPriceMinor: number | null;
  currency: string | null;
};

/** Returns the standing of an agency and its client; undefined when either is unknown. */
export async function findOwnerFacts(tx: SystemTx, { partnerId, clientId }: AiRequest['owner']): Promise<OwnerFacts | undefined> {
  const [row] = await runStatement<'ai_owner', OwnerFacts>(tx, {
    name: 'ai_owner',
    text: `select may_run_agents(p.status, k.status, s.status) as is_active,
        coalesce((features_of(g.features, s.overrides)->>'aiPlatformKeys')::boolean, false) as allows_platform_keys,
        (coalesce((s.overrides->>'monthlyPriceMinor')::int, g.monthly_price_minor)::float8
          / nullif(coalesce((s.overrides->>'monthlyCredits')::int, g.monthly_credits), 0)) as credit_price_minor, g.currency
      from partner p left join client k on k.id = $2::uuid left join subscription s on s.partner_id = p.id left join plan g on g.id = s.plan_id
      where p.id = $1::uuid and p.status <> 'deleted' and ($2::uuid is null or (k.partner_id = p.id and k.status <> 'deleted'))`,
    values: [partnerId, clientId],
  });
  return row;
}

export type Reservation = {
  callId: string;
  userId: string | null;
  sourceMode: SourceMode;
  rateId: string | null;
  credits: number;
  inputTokens: number;
  creditPriceMinor: number | null;
  currency: string | null;
  seconds: number;
  /** The most it may count for the budgets of a chatbot's day. */
  counted: number;
};

/** Reserves the credits of a call; see the function. Nothing is kept of a call that is refused, if the caller throws. */
export async function reserveCall(
  tx: SystemTx,
  { owner, purpose, provider, model, about }: AiRequest,
  call: Reservation,
): Promise<{ outcome: string; remaining: number }> {
  const [row] = await runStatement<'ai_reserve', { outcome: string; remaining: number }>(tx, {
    name: 'ai_reserve',
    text: `select outcome, remaining from reserve_ai_call($1::uuid, $2::uuid, $3::uuid, $4::uuid, $5::uuid, $6::uuid, $7, $8, $9, $10, $11::uuid, $12, $13, $14::float8::numeric, $15, $16, $17, $18::uuid, $19::uuid, $20)`,
    values: [
      call.callId,
      owner.partnerId,
      owner.clientId,
      call.userId,
      about?.conversationId ?? null,
      about?.turnId ?? null,
      purpose,
      provider,
      model,
      call.sourceMode,
      call.rateId,
      call.credits,
      call.inputTokens,
      call.creditPriceMinor,
      call.currency,
      call.seconds,
      LIMITS.aiCallsUnderWayPerPartner,
      about?.chatbotId ?? null,
      about?.visitor ?? null,
      call.counted,
    ],
  });
  if (!row) throw new Error('A reservation has no outcome.');
  return row;
}

export type Settlement = {
  isReleased: boolean;
  inputTokens: number;
  outputTokens: number;
  isEstimated: boolean;
  credits: number;
  costMinor: number;
  errorCode: string | null;
  /** Its count for the budgets of a chatbot's day (core/quota/chat-budget.ts). */
  weight: number;
};

/** Ends a call once; see the function. `credits` is what it was charged, now or before. */
export async function settleCall(
  tx: SystemTx,
  callId: string,
  spent: Settlement,
): Promise<{ applied: boolean; credits: number; crossings: readonly QuotaCrossing[] | null }> {
  const [row] = await runStatement<'ai_settle', { applied: boolean; credits: number; crossings: readonly QuotaCrossing[] | null }>(tx, {
    name: 'ai_settle',
    text: `select applied, credits, crossings from settle_ai_call($1::uuid, $2, $3, $4, $5, $6, $7::float8::numeric, $8, $9)`,
    values: [
      callId,
      spent.isReleased,
      spent.inputTokens,
      spent.outputTokens,
      spent.isEstimated,
      spent.credits,
      spent.costMinor,
      spent.errorCode,
      spent.weight,
    ],
  });
  return row ?? { applied: false, credits: 0, crossings: null };
}

/** Notes how many tokens answers under way have so far. */
export async function noteCalls(db: Database, notes: readonly { callId: string; outputTokens: number }[]): Promise<void> {
  await db.call({
    name: 'ai_note',
    text: 'select note_ai_calls($1::uuid[], $2::int[])',
    values: [notes.map((note) => note.callId), notes.map((note) => note.outputTokens)],
  });
}

export type ExpiredCall = {
  id: string;
  provider: AiProvider;
  model: string;
  sourceMode: SourceMode;
  rateId: string | null;
  inputTokens: number;
  outputTokens: number;
};

/** Lists calls whose process has not settled them in time, the oldest first. */
export function listExpiredCalls(tx: SystemTx, limit: number): Promise<ExpiredCall[]> {
  return runStatement<'ai_expired', ExpiredCall>(tx, {
    name: 'ai_expired',
    text: `select id, provider, model, source_mode, rate_id, coalesce(input_tokens, 0) as input_tokens, coalesce(output_tokens, 0) as output_tokens
      from ai_call where status = 'reserved' and expires_at < now() order by expires_at limit $1`,
    values: [limit],
  });
}
