import { LIMITS, type Retained } from '@partner-portal/contract/vocabulary.ts';

/**
 * Days for which contents of runs (input, output, steps) and deliveries of webhooks are shown. Their rows are dropped later, with their month, so
 * every statement that reads them for people asks for the age.
 */
export const RUN_CONTENT_DAYS = 90;
export const DELIVERY_DAYS = 30;

/**
 * How many days a client's data is kept; conversations from their last message on. Statements take their numbers from here or are compared by a test.
 * Null: until the account is deleted.
 */
export const KEPT_DAYS = {
  run_contents: RUN_CONTENT_DAYS,
  run_list: null,
  incoming_calls: 14,
  conversations: LIMITS.conversationDays,
  key_uses: 400,
  notifications: 90,
} as const satisfies Partial<Record<Retained, number | null>>;

/** Days after which an entry of the access log is deleted. */
export const ACCESS_LOG_DAYS = 400;

/** Returns how long data is kept. The access log is shown for at most as long as the agency's plan keeps its own log. */
export function retentionOf(settings: { auditDays: number; deletionDays: number }): { what: Retained; days: number | null }[] {
  return [
    ...Object.entries(KEPT_DAYS).map(([what, days]) => ({ what: what as Retained, days })), // the keys of the record above
    { what: 'access_log', days: Math.min(ACCESS_LOG_DAYS, settings.auditDays) },
    { what: 'deleted_account', days: settings.deletionDays },
  ];
}
