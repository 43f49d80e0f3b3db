import type { Rooms } from './store-queue.ts';

/** Attempts under way in this process, at most. */
export const IN_FLIGHT_MAX = 512;
/** Of one agency. */
const PARTNER_MAX = 64;
/** Of one endpoint: at first, once it has proved to be quick, and while it is slow. */
const LANE_START = 8;
const LANE_MAX = 32;
const LANE_SLOW = 2;
/** Slow endpoints, all together: the other half is for the quick ones, whatever hangs. */
const SLOW_MAX = IN_FLIGHT_MAX / 2;
/** An attempt that takes this long makes its endpoint slow; one that does not, quick again. */
const SLOW_MS = 2_000;
const IDLE_FORGET_MS = 10_000;
const SLOW_FORGET_MS = 600_000;

type Lane = { inFlight: number; cap: number; isSlow: boolean; isHungry: boolean; touchedAt: number };
type Place = { endpointId: string; partnerId: string };

export type Lanes = {
  /** How many more may be taken at all. */
  free(): number;
  /** What each endpoint and agency has left. */
  rooms(): Rooms;
  /** Takes the places of what a claim brought, which was offered these rooms: who used all of his room may have more waiting. */
  begin(claimed: readonly Place[], offered: Rooms): void;
  /** Gives one place back. True when somebody may wait for it, so that it is worth looking for more. */
  end(one: Place, durationMs: number | null): boolean;
};

/**
 * Keeps one endpoint's trouble its own: a bounded number of attempts under way per endpoint and per agency. An endpoint begins with a
 * few, gets more with each quick answer, and is down to two while its attempts take long; all slow ones together never hold more than
 * half of the places. It is the memory of one process, so that a killed one takes nobody's places with it.
 */
export function createLanes(now: () => number = () => performance.now()): Lanes {
  const lanes = new Map<string, Lane>();
  const partners = new Map<string, { inFlight: number; isHungry: boolean }>();
  let inFlight = 0;
  let slowInFlight = 0;

  const roomOf = (lane: Lane): number => {
    const room = Math.max(0, lane.cap - lane.inFlight);
    return lane.isSlow ? Math.max(0, Math.min(room, SLOW_MAX - slowInFlight)) : room;
  };
  const laneOf = (endpointId: string): Lane => {
    const known = lanes.get(endpointId);
    if (known) return known;
    const lane: Lane = { inFlight: 0, cap: LANE_START, isSlow: false, isHungry: false, touchedAt: now() };
    lanes.set(endpointId, lane);
    return lane;
  };
  const partnerOf = (partnerId: string): { inFlight: number; isHungry: boolean } => {
    const known = partners.get(partnerId);
    if (known) return known;
    const partner = { inFlight: 0, isHungry: false };
    partners.set(partnerId, partner);
    return partner;
  };
  const forgetIdle = (): void => {
    const at = now();
    for (const [id, lane] of lanes)
      if (lane.inFlight === 0 && at - lane.touchedAt > (lane.isSlow ? SLOW_FORGET_MS : IDLE_FORGET_MS)) lanes.delete(id);
  };
  const grade = (lane: Lane, durationMs: number): void => {
    const isSlow = durationMs >= SLOW_MS;
    if (isSlow !== lane.isSlow) slowInFlight += isSlow ? lane.inFlight : -lane.inFlight;
    lane.cap = isSlow ? LANE_SLOW : lane.isSlow ? LANE_START : Math.min(LANE_MAX, lane.cap + 1);
    lane.isSlow = isSlow;
  };
  return {
    free: () => IN_FLIGHT_MAX - inFlight,
    rooms() {
      forgetIdle();
      return {
        lane: LANE_START,
        partner: PARTNER_MAX,
        lanes: [...lanes].map(([endpointId, lane]) => ({ endpointId, room: roomOf(lane) })).filter(({ room }) => room !== LANE_START),
        partners: [...partners].map(([partnerId, one]) => ({ partnerId, room: Math.max(0, PARTNER_MAX - one.inFlight) })),
      };
    },
    begin(claimed, offered) {
      for (const { endpointId, partnerId } of claimed) {
        const lane = laneOf(endpointId);
        lane.inFlight += 1;
        inFlight += 1;
        if (lane.isSlow) slowInFlight += 1;
        partnerOf(partnerId).inFlight += 1;
      }
      const offeredLanes = new Map(offered.lanes.map((one) => [one.endpointId, one.room]));
      const offeredPartners = new Map(offered.partners.map((one) => [one.partnerId, one.room]));
      const [byLane, byPartner] = [countBy(claimed, (one) => one.endpointId), countBy(claimed, (one) => one.partnerId)];
      for (const [id, lane] of lanes) lane.isHungry = (byLane.get(id) ?? 0) >= (offeredLanes.get(id) ?? offered.lane);
      for (const [id, partner] of partners) partner.isHungry = (byPartner.get(id) ?? 0) >= (offeredPartners.get(id) ?? offered.partner);
    },
    end({ endpointId, partnerId }, durationMs) {
      const [lane, partner] = [laneOf(endpointId), partnerOf(partnerId)];
      const isWaitedFor = inFlight >= IN_FLIGHT_MAX || slowInFlight >= SLOW_MAX || partner.isHungry || lane.isHungry;
      lane.inFlight -= 1;
      inFlight -= 1;
      if (lane.isSlow) slowInFlight -= 1;
      partner.inFlight -= 1;
      if (partner.inFlight === 0) partners.delete(partnerId);
      lane.touchedAt = now();
      if (durationMs !== null) grade(lane, durationMs);
      return isWaitedFor;
    },
  };
}

function countBy<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const item of items) counts.set(keyOf(item), (counts.get(keyOf(item)) ?? 0) + 1);
  return counts;
}
