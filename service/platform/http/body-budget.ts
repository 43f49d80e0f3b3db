import { hold } from '../held.ts';
import { AppError } from '../refuse.ts';

/** Callers who have proved nothing, callers with a session or the token of an address, and callbacks with their proof. */
export const BUDGETS = ['anonymous', 'tenant', 'system'] as const;
export type BudgetName = (typeof BUDGETS)[number];

/** Owner of a body's memory. `key`: the network, the tenant or the subject of the callback; `part`: one of those who share its key, such as a user. */
export type Sender = { budget: BudgetName; key: string; part?: string };

/** The bytes of one body, counted until it is disposed of. */
export type BodyShare = Disposable & {
  /** Counts further bytes. Refuses `rate_limited` beyond what one sender may have in flight, `service_unavailable` beyond what all may. */
  take(bytes: number): void;
};
export type BodyBudget = {
  share(sender: Sender): BodyShare;
};

/**
 * Bytes in flight: of all in a budget, of one key, and of one part of a key, so that one user leaves room for the others of a tenant.
 * `timesFreeMax`: how many times what it leaves free a sender may hold, so that a few senders cannot hold everything.
 */
export type BudgetLimits = { totalMax: number; perSenderMax: number; perPartMax?: number; timesFreeMax?: number };

const MIB = 1024 * 1024;
export const BODY_BUDGETS: Readonly<Record<BudgetName, BudgetLimits>> = {
  anonymous: { totalMax: 8 * MIB, perSenderMax: 2 * MIB },
  tenant: { totalMax: 40 * MIB, perSenderMax: 20 * MIB, perPartMax: 12 * MIB, timesFreeMax: 2 },
  system: { totalMax: 16 * MIB, perSenderMax: 4 * MIB },
};

/**
 * Bounds the memory of bodies that are still arriving. Each kind of caller has a budget of its own, so that callers who prove nothing cannot
 * hold what the others need; within one it is shared between senders, so that slow ones of one or of a few cannot use up that of others.
 */
export function createBodyBudget(limits: Readonly<Partial<Record<BudgetName, BudgetLimits>>> = {}): BodyBudget {
  const budgets = { ...BODY_BUDGETS, ...limits };
  const held = new Map<string, number>();
  const heldBy = (key: string): number => held.get(key) ?? 0;
  const add = (key: string, bytes: number): void => {
    const left = heldBy(key) + bytes;
    if (left === 0) held.delete(key);
    else held.set(key, left);
  };
  return {
    share({ budget, key, part }) {
      const { totalMax, perSenderMax, perPartMax = perSenderMax, timesFreeMax = Infinity } = budgets[budget];
      const sender = `${budget} ${key}`;
      const keys = part === undefined ? [budget, sender] : [budget, sender, `${sender} ${part}`];
      const counted = hold(`body_bytes_${budget}`, 0);
      let own = 0;
      return {
        take(bytes) {
          if (heldBy(sender) + bytes > perSenderMax || (part !== undefined && heldBy(`${sender} ${part}`) + bytes > perPartMax))
            throw new AppError('rate_limited', {
              detail: 'Too many large request bodies are being received at once.',
              retryAfterSeconds: 2,
            });
          const free = totalMax - heldBy(budget) - bytes;
          if (free < 0 || heldBy(sender) + bytes > timesFreeMax * free)
            throw new AppError('service_unavailable', { detail: 'Please try again in a moment.', retryAfterSeconds: 2 });
          own += bytes;
          counted.add(bytes);
          for (const one of keys) add(one, bytes);
        },
        [Symbol.dispose]() {
          for (const one of own > 0 ? keys : []) add(one, -own);
          own = 0;
          counted[Symbol.dispose]();
        },
      };
    },
  };
}
