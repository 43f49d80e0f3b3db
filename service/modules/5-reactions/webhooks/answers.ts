import { DELIVERY_REASON_TEXTS, explainAttempt } from '@partner-portal/contract/delivery-errors.ts';
import { LIMITS } from '@partner-portal/contract/vocabulary.ts';
import { eventIdText } from '@partner-portal/core/webhook/event-id.ts';
import type { AttemptRow, DeliveryRow } from './delivery/store-deliveries.ts';
import type { EndpointRow } from './endpoints/store-endpoints.ts';

/** An endpoint as the wire shows it. The secret is in no row that comes here. */
export function endpointAnswer<Row extends EndpointRow>(row: Row) {
  const { lastDeliveryStatus: status, lastDeliveryAt: at, ...rest } = row;
  return { ...rest, lastDelivery: status === null || at === null ? null : { status, at } };
}

/** Deliveries with their attempts, each failure in words. */
export function deliveryAnswers(rows: readonly DeliveryRow[], attempts: readonly AttemptRow[]) {
  const of = Map.groupBy(attempts, (attempt) => attempt.deliveryId);
  return rows.map((row) => deliveryAnswer(row, of.get(row.id) ?? []));
}

function deliveryAnswer(row: DeliveryRow, attempts: readonly AttemptRow[]) {
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
    attempts: attempts.map(attemptAnswer),
    requestBody: row.body,
    redeliveryOf: row.redeliveryOf,
    recoveryId: row.recoveryId,
  };
}

/** Written member by member: a stream sends it as it is. */
function attemptAnswer(attempt: AttemptRow) {
  const { n, at, httpStatus, durationMs, error, responsePreview } = attempt;
  return { n, at, httpStatus, durationMs, error, explanation: explainAttempt(attempt), responsePreview };
}

export type DeliveryAnswer = ReturnType<typeof deliveryAnswer>;
