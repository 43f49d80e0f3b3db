import { LIMITS } from '@partner-portal/contract/vocabulary.ts';
import type { Reply } from '../../app/api.ts';

type Delivery = Reply<'listDeliveries'>[number];

/**
 * What is known of an endpoint's log after another answer came. A list, the stream and the reply to an act overtake each other;
 * a delivery only ever moves forward, so of two records of one delivery the one that is further is the newer. Newest first. Pure.
 */
export function mergeDeliveries(known: readonly Delivery[], fresh: readonly Delivery[]): Delivery[] {
  const byId = new Map(fresh.map((row) => [row.id, row]));
  const newest = fresh.reduce((id, row) => (row.id > id ? row.id : id), '');
  for (const row of known) {
    const other = byId.get(row.id);
    // What the answer lacks although it would stand on top of it began after that answer was read.
    if (other ? stageOf(row) > stageOf(other) : row.id > newest) byId.set(row.id, row);
  }
  return [...byId.values()].toSorted((a, b) => (a.id < b.id ? 1 : -1)).slice(0, LIMITS.deliveriesListed);
}

/** One delivery as it is now, in its place or on top. */
export function applyDelivery(rows: readonly Delivery[], delivery: Delivery): Delivery[] {
  const before = rows.find((row) => row.id === delivery.id);
  if (before && stageOf(before) > stageOf(delivery)) return [...rows];
  return [...rows.filter((row) => row.id !== delivery.id), delivery]
    .toSorted((a, b) => (a.id < b.id ? 1 : -1))
    .slice(0, LIMITS.deliveriesListed);
}

/** How far a delivery is: each attempt has a begin and an end, and a status that is final comes last. */
function stageOf({ status, attempts }: Delivery): number {
  if (status !== 'pending') return Number.POSITIVE_INFINITY;
  const last = attempts.at(-1);
  return attempts.length * 2 + (last && last.durationMs === null && last.error === null ? -1 : 0);
}
