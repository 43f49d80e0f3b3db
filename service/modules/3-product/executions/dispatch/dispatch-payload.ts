import { callbackToken } from '@partner-portal/core/execution/token.ts';
import { fillConfig } from '@partner-portal/core/template/settings.ts';
import { type DispatchPayload, type JsonObject, PROFILE_KEYS, type Template } from '@partner-portal/core/template/types.ts';
import type { Secret } from '#platform/secret.ts';
import type { ClaimedDispatch } from './store-dispatch.ts';

/** Returns what the flow reads at `trigger.body`: the event, the agent's settings, the client, and facts that a flow cannot look up. */
export function dispatchPayload(
  claimed: ClaimedDispatch,
  template: Template | undefined,
  options: { secret: Secret; now: Date },
): DispatchPayload {
  const config = claimed.config ?? {};
  const profile = Object.fromEntries(PROFILE_KEYS.map((key) => [key, claimed.businessProfile[key] ?? '']));
  return {
    executionId: claimed.executionId,
    workflowId: claimed.workflowId,
    callbackToken: callbackToken(options.secret.reveal(), claimed.executionId),
    input: (claimed.input ?? {}) as JsonObject, // stored as JSON when it was accepted
    config: (template ? fillConfig(template, config) : config) as DispatchPayload['config'], // checked when it was saved
    client: {
      id: claimed.clientId,
      name: claimed.clientName,
      timezone: claimed.timezone,
      businessProfile: profile as DispatchPayload['client']['businessProfile'], // made of exactly those keys
    },
    facts: { lastContactAt: claimed.lastContactAt?.toISOString() ?? null, onStopList: claimed.optedOut, now: options.now.toISOString() },
  };
}
