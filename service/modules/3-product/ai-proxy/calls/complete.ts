import { setTimeout } from 'node:timers/promises';
import { thresholdsCrossed } from '#modules/1-ledger/metering/index.ts';
import { PROVIDER_RULES } from '@partner-portal/core/credential/provider-rules.ts';
import { ModelError, newProgress } from '#adapters/language-models/index.ts';
import { recordFacts } from '#platform/facts.ts';
import { TurnRefusal } from '#platform/fair-turns.ts';
import type { AiProxyDeps } from '../deps.ts';
import { type AiReply, type AiRequest, refuseBeyondLimits, textsOf } from './ai-request.ts';
import { type OpenedCall, openCall, type OpenOptions } from './open-call.ts';
import { tooManyCalls, toRefusal } from './refusals.ts';
import { hasSpent, released, settlementOf, tokensOf } from './spent.ts';
import { type Settlement, settleCall } from './store-calls.ts';

/** Waits before a settlement that failed is made again; after the last one the sweep settles the call by what was noted. */
const SETTLE_AGAIN_MS = [250, 1_000, 4_000] as const;

/** The answer of a call in progress, as far as it has arrived. */
const BYTES_PER_TOKEN = 32;

/**
 * Calls a language model with the key that counts for its owner. Credits are reserved before and settled after, once. Refuses `quota_exceeded`,
 * `chat_budget_exceeded`, `no_usable_key`, `ai_key_refused`, `ai_unavailable`, `rate_limited`, `plan_feature_required`, `validation_failed`. Not inside a transaction.
 */
export async function complete(deps: AiProxyDeps, request: AiRequest, options: OpenOptions = {}): Promise<AiReply> {
  refuseBeyondLimits(request);
  const bytes = textsOf(request).reduce((sum, text) => sum + Buffer.byteLength(text), 0) * 3 + request.maxTokens * BYTES_PER_TOKEN;
  try {
    return await deps.turns({ key: request.owner.partnerId, bytes }, () => callOnce(deps, request, options));
  } catch (error) {
    if (!(error instanceof TurnRefusal)) throw error;
    throw tooManyCalls(error);
  }
}

async function callOnce(deps: AiProxyDeps, request: AiRequest, options: OpenOptions): Promise<AiReply> {
  const { provider, model, system, messages, tools, maxTokens, signal, onDelta } = request;
  if (signal?.aborted) throw toRefusal(new ModelError('stopped'), { provider, model, sourceMode: 'platform' });
  const opened = await openCall(deps, request, options);
  const { callId, key } = opened;
  const progress = newProgress();
  const unfollow = deps.notes.follow(callId, progress);
  const priced = { sourceMode: key.sourceMode, rate: opened.rate };
  try {
    const reply = await deps.callModel(
      {
        provider,
        apiKey: key.key,
        model,
        messages,
        maxTokens,
        ...(system ? { system } : {}),
        ...(tools ? { tools } : {}),
        ...(signal ? { signal } : {}),
        ...(onDelta ? { onText: onDelta } : {}),
      },
      progress,
    );
    const tokens = tokensOf(progress, opened.inputEstimate);
    const creditsCharged = await settleSurely(deps, callId, settlementOf(tokens, priced));
    await recordCheck(deps, opened, provider, true);
    return { ...reply, usage: tokens, creditsCharged, sourceMode: key.sourceMode };
  } catch (error) {
    if (!(error instanceof ModelError)) throw error;
    const isSpent = hasSpent(progress, error.problem === 'stopped');
    const tokens = tokensOf(progress, opened.inputEstimate);
    await settleSurely(deps, callId, isSpent ? settlementOf(tokens, { ...priced, errorCode: error.problem }) : released(error.problem));
    if (error.problem === 'key_refused') await recordCheck(deps, opened, provider, false);
    throw toRefusal(error, { provider, model, sourceMode: key.sourceMode });
  } finally {
    unfollow();
  }
}

/** Settles a call that its process still follows, again when the database did not take it. */
async function settleSurely(deps: Pick<AiProxyDeps, 'db' | 'log'>, callId: string, spent: Settlement): Promise<number> {
  for (const waitMs of SETTLE_AGAIN_MS) {
    try {
      return await settle(deps, callId, spent);
    } catch (error) {
      deps.log.warn({ err: error, callId }, 'a call of a language model could not be settled');
      await setTimeout(waitMs);
    }
  }
  return settle(deps, callId, spent);
}

/** Ends a call once and publishes the thresholds it crossed in the same transaction. Returns what the call was charged. */
export async function settle(deps: Pick<AiProxyDeps, 'db'>, callId: string, spent: Settlement): Promise<number> {
  return deps.db.asSystem('metering', async (tx) => {
    const { credits, crossings } = await settleCall(tx, callId, spent);
    if (crossings) await recordFacts(tx, thresholdsCrossed, crossings);
    return credits;
  });
}

async function recordCheck(deps: AiProxyDeps, { key }: OpenedCall, provider: AiRequest['provider'], ok: boolean): Promise<void> {
  const { title } = PROVIDER_RULES[provider];
  const check = { ok, message: ok ? `${title} accepted the key.` : `${title} refused the key.` };
  // The call is settled: its answer does not depend on this.
  await deps.credentials
    .recordModelCheck(key, check)
    .catch((error: unknown) => deps.log.warn({ err: error }, 'a check of a key was not recorded'));
}
