import type { Capacity } from '../store-queue.ts';

/** Attempts in flight per process. */
export const IN_FLIGHT_MAX = 512;
/** Attempts in flight per partner. */
const PARTNER_MAX = 64;
/** Attempts in flight per endpoint: initially, at most, and while it is slow. */
const LANE_START = 8;
const LANE_MAX = 32;
const LANE_SLOW = 2;
/** Attempts in flight of all slow endpoints together; the rest is reserved for quick ones. */
const SLOW_MAX = IN_FLIGHT_MAX / 2;
/** An attempt of this duration marks its endpoint as slow; a shorter one as quick again. */
const SLOW_MS = 2_000;
const IDLE_EVICT_MS = 10_000;
const SLOW_EVICT_MS = 600_000;

type Lane = { inFlight: number; cap: number; isSlow: boolean; hasBacklog: boolean; touchedAt: number };
type Slot = { endpointId: string; partnerId: string };

export type Lanes = {
  /** Free slots of this process. */
  free(): number;
  /** Free slots of each endpoint and partner. */
  capacity(): Capacity;
  /** Occupies slots for claimed deliveries. A lane that used all of its offered capacity may have more waiting. */
  occupy(claimed: readonly Slot[], offered: Capacity): void;
  /** Releases one slot. True when more deliveries may wait for it, so that another claim is worthwhile. */
  release(one: Slot, durationMs: number | null): boolean;
};

/**
 * Limits attempts in flight per endpoint (lane) and per partner, so that one slow endpoint does not delay others. A lane starts small, grows
 * with each quick response, and shrinks to two while its attempts are slow; slow lanes together use at most half of the slots. Kept in
 * memory: a killed process holds no slots.
 */
export function createLanes(now: () => number = () => performance.now()): Lanes {
  const lanes = new Map<string, Lane>();
  const partners = new Map<string, { inFlight: number; hasBacklog: boolean }>();
  let inFlight = 0;
  let slowInFlight = 0;

  const capacityOf = (lane: Lane): number => {
    const free = Math.max(0, lane.cap - lane.inFlight);
    return lane.isSlow ? Math.max(0, Math.min(free, SLOW_MAX - slowInFlight)) : free;
  };
  const laneOf = (endpointId: string): Lane => {
    const known = lanes.get(endpointId);
    if (known) return known;
    const lane: Lane = { inFlight: 0, cap: LANE_START, isSlow: false, hasBacklog: false, touchedAt: now() };
    lanes.set(endpointId, lane);
    return lane;
  };
  const partnerOf = (partnerId: string): { inFlight: number; hasBacklog: boolean } => {
    const known = partners.get(partnerId);
    if (known) return known;
    const partner = { inFlight: 0, hasBacklog: false };
    partners.set(partnerId, partner);
    return partner;
  };
  const evictIdle = (): void => {
    const at = now();
    for (const [id, lane] of lanes)
      if (lane.inFlight === 0 && at - lane.touchedAt > (lane.isSlow ? SLOW_EVICT_MS : IDLE_EVICT_MS)) lanes.delete(id);
  };
  const grade = (lane: Lane, durationMs: number): void => {
    const isSlow = durationMs >= SLOW_MS;
    if (isSlow !== lane.isSlow) slowInFlight += isSlow ? lane.inFlight : -lane.inFlight;
    lane.cap = isSlow ? LANE_SLOW : lane.isSlow ? LANE_START : Math.min(LANE_MAX, lane.cap + 1);
    lane.isSlow = isSlow;
  };
  return {
    free: () => IN_FLIGHT_MAX - inFlight,
    capacity() {
      evictIdle();
      return {
        lane: LANE_START,
        partner: PARTNER_MAX,
        lanes: [...lanes].map(([endpointId, lane]) => ({ endpointId, free: capacityOf(lane) })).filter(({ free }) => free !== LANE_START),
        partners: [...partners].map(([partnerId, one]) => ({ partnerId, free: Math.max(0, PARTNER_MAX - one.inFlight) })),
      };
    },
    occupy(claimed, offered) {
      for (const { endpointId, partnerId } of claimed) {
        const lane = laneOf(endpointId);
        lane.inFlight += 1;
        inFlight += 1;
        if (lane.isSlow) slowInFlight += 1;
        partnerOf(partnerId).inFlight += 1;
      }
      const offeredLanes = new Map(offered.lanes.map((one) => [one.endpointId, one.free]));
      const offeredPartners = new Map(offered.partners.map((one) => [one.partnerId, one.free]));
      const [byLane, byPartner] = [countBy(claimed, (one) => one.endpointId), countBy(claimed, (one) => one.partnerId)];
      for (const [id, lane] of lanes) lane.hasBacklog = (byLane.get(id) ?? 0) >= (offeredLanes.get(id) ?? offered.lane);
      for (const [id, partner] of partners) partner.hasBacklog = (byPartner.get(id) ?? 0) >= (offeredPartners.get(id) ?? offered.partner);
    },
    release({ endpointId, partnerId }, durationMs) {
      const [lane, partner] = [laneOf(endpointId), partnerOf(partnerId)];
      const hasWaiting = inFlight >= IN_FLIGHT_MAX || slowInFlight >= SLOW_MAX || partner.hasBacklog || lane.hasBacklog;
      lane.inFlight -= 1;
      inFlight -= 1;
      if (lane.isSlow) slowInFlight -= 1;
      partner.inFlight -= 1;
      if (partner.inFlight === 0) partners.delete(partnerId);
      lane.touchedAt = now();
      if (durationMs !== null) grade(lane, durationMs);
      return hasWaiting;
    },
  };
}

function countBy<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const item of items) counts.set(keyOf(item), (counts.get(keyOf(item)) ?? 0) + 1);
  return counts;
}
