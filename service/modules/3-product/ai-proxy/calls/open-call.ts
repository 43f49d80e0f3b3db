import { ANY_MODEL, chooseRate } from '@partner-portal/core/quota/rates.ts';
import { CHAT_BUDGETS, type ChatBudget, chatWeight } from '@partner-portal/core/quota/chat-budget.ts';
import { aiCredits, estimateTokens } from '@partner-portal/core/quota/credits.ts';
import { PROVIDER_RULES } from '@partner-portal/core/credential/provider-rules.ts';
import type { ModelKey, UsedBy } from '#modules/3-product/credentials/index.ts';
import { newId } from '#platform/ids.ts';
import { refuse, refuseField } from '#platform/refuse.ts';
import type { AiProxyDeps, ModelKeyResult } from '../deps.ts';
import { findRates, type StaffRateRow } from '../rates/store-rates.ts';
import { type AiRequest, textsOf } from './ai-request.ts';
import { tooManyCalls } from './refusals.ts';
import { findOwnerFacts, type OwnerFacts, reserveCall } from './store-calls.ts';

/** Beyond the longest call, before a sweep settles it. */
const SLACK_SECONDS = 30;

export type OpenedCall = { callId: string; key: ModelKey; rate: StaffRateRow | undefined; inputEstimate: number };

export type OpenOptions = { by?: UsedBy; /** Refuses a key that the caller must not use. */ refuseKey?: (key: ModelKey) => void };

/**
 * Opens the key that counts, records its use, and reserves what the call may cost at most, in one transaction. Refuses `not_found`,
 * `account_suspended`, `no_usable_key`, `plan_feature_required`, `quota_exceeded`, `chat_budget_exceeded`, and a model that is not offered.
 */
export async function openCall(deps: AiProxyDeps, request: AiRequest, options: OpenOptions): Promise<OpenedCall> {
  const { owner, provider, model, maxTokens, userId = null } = request;
  const callId = request.callId ?? newId();
  const inputEstimate = estimateTokens(textsOf(request));
  return deps.db.asSystem('metering', async (tx) => {
    const facts = await findOwnerFacts(tx, owner);
    if (!facts) return refuse('not_found');
    if (!facts.isActive) return refuse('account_suspended');
    const by = options.by ?? (userId === null ? { type: 'system' as const, id: null } : { type: 'user' as const, id: userId });
    const key = requireKey(await deps.credentials.openModelKey(tx, { ...owner, provider }, by), provider);
    options.refuseKey?.(key);
    const rate = key.sourceMode === 'platform' ? requireRate(facts, await findRates(tx, provider, model), model) : undefined;
    const most = { inputTokens: Math.max(inputEstimate, request.inputTokensMax ?? 0), outputTokens: maxTokens };
    const credits = rate ? aiCredits(most, rate) : 0;
    const counted = chatWeight(most, credits, key.sourceMode === 'byok');
    const { outcome, remaining } = await reserveCall(tx, request, {
      callId,
      userId,
      sourceMode: key.sourceMode,
      rateId: rate?.id ?? null,
      credits,
      inputTokens: inputEstimate,
      creditPriceMinor: rate && rate.currency === facts.currency ? facts.creditPriceMinor : null,
      currency: rate?.currency ?? null,
      seconds: Math.ceil(deps.timeoutMs / 1000) + SLACK_SECONDS,
      counted,
    });
    if (outcome === 'too_many') throw tooManyCalls();
    if (outcome === 'quota_exceeded') {
      const detail = `This call may cost ${credits} credits; ${remaining} are left. Ask for fewer tokens, buy credits, or use your own key.`;
      return refuse('quota_exceeded', { detail, remaining });
    }
    const budget = CHAT_BUDGETS.find((name) => name === outcome);
    if (budget) return refuse('chat_budget_exceeded', { detail: FULL[budget], budget, wanted: budget === 'chatbot' ? counted : credits });
    return { callId, key, rate, inputEstimate };
  });
}

const FULL: Readonly<Record<ChatBudget, string>> = {
  conversation: 'The conversation has used its budget of today.',
  visitor: 'The visitors behind this network have used their budget of today.',
  chatbot: 'The chatbot has used its budget of today.',
  quota: 'The credits of this period are used, or held by runs in progress.',
  share: 'Chatbots have used the share of this month’s credits that they may use. Raise it under Usage, or use your own key.',
  reserve: 'The credits that are left are kept for events. Buy credits, or use your own key.',
};

function requireKey(found: ModelKeyResult, provider: AiRequest['provider']): ModelKey {
  if (!('missing' in found)) return found;
  const { title } = PROVIDER_RULES[provider];
  const detail =
    found.missing === 'no_platform_key'
      ? `The platform offers no ${title} key right now. Save your own key on the ${title} card under Integrations.`
      : `No ${title} key is saved. Save one on the ${title} card under Integrations.`;
  return refuse('no_usable_key', { detail, provider });
}

function requireRate(facts: OwnerFacts, rates: readonly StaffRateRow[], model: string): StaffRateRow {
  if (!facts.allowsPlatformKeys)
    return refuse('plan_feature_required', {
      detail: 'Your plan does not include platform keys for language models. Save your own key.',
    });
  const rate = model === ANY_MODEL ? undefined : chooseRate(rates, model);
  if (!rate?.isOffered)
    return refuseField(
      'model',
      'not_offered',
      `The platform’s key is not offered for "${model}". Choose another model, or save your own key.`,
    );
  return rate;
}
