import type { AiProvider, SourceMode } from '@partner-portal/contract/vocabulary.ts';
import { PROVIDER_RULES } from '@partner-portal/core/credential/provider-rules.ts';
import type { ModelError } from '#adapters/language-models/index.ts';
import { AppError } from '#platform/refuse.ts';

const RETRY_AFTER_SECONDS = 10;

/** The agency has reached its limit of concurrent calls. */
export function tooManyCalls(cause?: unknown): AppError {
  const detail = 'Your agency has too many language model calls in progress. Try again in a moment.';
  return new AppError('rate_limited', { detail, retryAfterSeconds: 5, cause });
}

/** Turns why a provider gave no answer into what the caller can do about it. Nothing of the provider's texts is repeated. */
export function toRefusal(error: ModelError, call: { provider: AiProvider; model: string; sourceMode: SourceMode }): AppError {
  const { title } = PROVIDER_RULES[call.provider];
  const { problem } = error;
  const retryAfterSeconds = error.retryAfterSeconds ?? RETRY_AFTER_SECONDS;
  if (problem === 'key_refused' || problem === 'no_credit') return keyRefusal(problem, call, title);
  if (problem === 'rate_limited')
    return new AppError('rate_limited', {
      detail: `${title} is not accepting calls with this key right now. Try again later.`,
      retryAfterSeconds,
    });
  if (problem === 'unknown_model') return field('model', 'unknown', `${title} has no model named "${call.model}" for this key.`);
  if (problem === 'too_long')
    return field('messages', 'too_long', `The messages are too long for ${call.model}. Send fewer or shorter ones.`);
  if (problem === 'request_refused') return field('messages', 'refused', `${title} refused this request for ${call.model}.`);
  return new AppError('ai_unavailable', { detail: UNAVAILABLE[problem](title), retryAfterSeconds });
}

const UNAVAILABLE: Record<'overloaded' | 'unreachable' | 'timeout' | 'cut_off' | 'stopped', (title: string) => string> = {
  overloaded: (title) => `${title} is overloaded. Try again in a moment.`,
  unreachable: (title) => `${title} could not be reached. Try again in a moment.`,
  timeout: (title) => `${title} did not finish its answer in time. Ask for fewer tokens, or try again.`,
  cut_off: (title) => `${title} stopped before its response was complete. The tokens it had already written are counted.`,
  stopped: () => 'The call was stopped before its answer was complete.',
};

function keyRefusal(
  problem: 'key_refused' | 'no_credit',
  { provider, sourceMode }: { provider: AiProvider; sourceMode: SourceMode },
  title: string,
): AppError {
  if (sourceMode === 'platform')
    return new AppError('ai_key_refused', {
      detail: `${title} does not accept the platform’s key right now. Save your own key on the ${title} card under Integrations, or try again later.`,
      provider,
    });
  const what = problem === 'no_credit' ? 'has no credit left for this key' : 'refused this key';
  return new AppError('ai_key_refused', { detail: `${title} ${what}. Check it on the ${title} card under Integrations.`, provider });
}

function field(name: string, code: string, message: string): AppError {
  return new AppError('validation_failed', { detail: message, errors: [{ field: name, code, message }] });
}
