import { DELIVERY_REASON_TEXTS, explainAttempt } from '@partner-portal/contract/delivery-errors.ts';
import { LIMITS } from '@partner-portal/contract/vocabulary.ts';
import { eventIdText } from '@partner-portal/core/webhook/event-id.ts';
import type { AttemptRow, DeliveryRow } from './store-deliveries.ts';

/** Maps deliveries with their attempts, failures explained. */
export function toDeliveries(rows: readonly DeliveryRow[], attempts: readonly AttemptRow[]) {
  const of = Map.groupBy(attempts, (attempt) => attempt.deliveryId);
  return rows.map((row) => toDelivery(row, of.get(row.id) ?? []));
}

function toDelivery(row: DeliveryRow, attempts: readonly AttemptRow[]) {
  const explanation = row.reason === null ? null : DELIVERY_REASON_TEXTS[row.reason];
  return {
    id: row.id,
    endpointId: row.endpointId,
    eventId: eventIdText(row.eventId),
    eventType: row.eventType,
    status: row.status,
    reason: row.reason,
    explanation,
    createdAt: row.createdAt,
    finishedAt: row.finishedAt,
    nextAttemptAt: row.dueAt,
    attemptCount: row.attemptCount,
    maxAttempts: LIMITS.deliveryAttemptsMax,
    attempts: attempts.map(toAttempt),
    requestBody: row.body,
    redeliveryOf: row.redeliveryOf,
    recoveryId: row.recoveryId,
  };
}

/** Member by member: a stream sends it without reply parsing. */
function toAttempt(attempt: AttemptRow) {
  const { n, at, httpStatus, durationMs, error, responsePreview, signature } = attempt;
  return { n, at, httpStatus, durationMs, error, explanation: explainAttempt(attempt), responsePreview, signature };
}

export type DeliveryRecord = ReturnType<typeof toDelivery>;
