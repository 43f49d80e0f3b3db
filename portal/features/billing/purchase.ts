import { purchaseProblem } from '@partner-portal/core/billing/purchase.ts';
import { useState } from 'react';
import { v4 as newId } from 'uuid';
import { useRefusal } from '../../app/current-user.ts';
import { refreshAfter } from '../../queries/refresh.ts';
import type { Subscription } from '../../queries/billing.ts';

/** Returns why the user cannot buy now, or undefined: the permission first, then the state of the subscription. */
export function usePurchaseRefusal({ status }: Pick<Subscription, 'status'>): string | undefined {
  return useRefusal('agency.manage') ?? purchaseProblem(status) ?? undefined;
}

/**
 * Returns the Idempotency-Key of what is being bought: the same for a second attempt at it, another one for another choice, so that an order
 * whose response was lost is not made twice.
 */
export function usePurchaseKey(choice: string): Record<string, string> {
  const [opened] = useState(() => newId());
  return { 'idempotency-key': `${opened}/${choice}` };
}

/** Refetches what a purchase changes. */
export const refreshPurchases = (): void => void refreshAfter('billingChanged');

/** Returns a typed whole number from `min` to `max`, or null. */
export function countOf(text: string, max: number): number | null {
  const count = Number(text);
  return /^\d+$/.test(text.trim()) && count >= 1 && count <= max ? count : null;
}
