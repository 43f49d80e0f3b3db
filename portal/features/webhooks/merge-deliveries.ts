import { LIMITS } from '@partner-portal/contract/vocabulary.ts';
import type { Reply } from '../../app/api.ts';

type Delivery = Reply<'listDeliveries'>[number];

/** Merges a response into an endpoint's known deliveries. List, stream and action responses can arrive out of order;
 * a delivery only moves forward, so the more advanced record is the newer one. Returns newest first.
 */
export function mergeDeliveries(known: readonly Delivery[], fresh: readonly Delivery[]): Delivery[] {
  const byId = new Map(fresh.map((row) => [row.id, row]));
  const newest = fresh.reduce((id, row) => (row.id > id ? row.id : id), '');
  for (const row of known) {
    const other = byId.get(row.id);
    // Newer than everything in the response: created after it was read.
    if (other ? stageOf(row) > stageOf(other) : row.id > newest) byId.set(row.id, row);
  }
  return [...byId.values()].toSorted((a, b) => (a.id < b.id ? 1 : -1)).slice(0, LIMITS.deliveriesListed);
}

/** Inserts or updates one delivery. */
export function applyDelivery(rows: readonly Delivery[], delivery: Delivery): Delivery[] {
  const before = rows.find((row) => row.id === delivery.id);
  if (before && stageOf(before) > stageOf(delivery)) return [...rows];
  return [...rows.filter((row) => row.id !== delivery.id), delivery]
    .toSorted((a, b) => (a.id < b.id ? 1 : -1))
    .slice(0, LIMITS.deliveriesListed);
}

/** Returns a delivery's progress: the start and end of each attempt, then a final status. */
function stageOf({ status, attempts }: Delivery): number {
  if (status !== 'pending') return Number.POSITIVE_INFINITY;
  const last = attempts.at(-1);
  return attempts.length * 2 + (last && last.durationMs === null && last.error === null ? -1 : 0);
}
