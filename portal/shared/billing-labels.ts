import type { InvoiceStatus, SubscriptionStatus, UsageKind } from '@partner-portal/contract/vocabulary.ts';
import { formatMoney } from '@partner-portal/core/billing/money.ts';
import { creditsToTake } from '@partner-portal/core/billing/purchase.ts';
import type { Billing, Invoice, Order, PlanChange, Subscription } from '../queries/billing.ts';
import type { MarkKind } from '../ui/feedback/mark.tsx';
import { formatDay, formatNumber, joinWords, plural } from '../ui/text/format.ts';

type Label = { mark: MarkKind; word: string; tone?: 'bad' | 'warn' };

export const INVOICE_STATUS: Record<InvoiceStatus, Label> = {
  draft: { mark: 'none', word: 'Draft' },
  issued: { mark: 'wait', word: 'Issued' },
  paid: { mark: 'ok', word: 'Paid' },
  void: { mark: 'skip', word: 'Void' },
};

export const SUBSCRIPTION_STATUS: Record<SubscriptionStatus, Label> = {
  trialing: { mark: 'wait', word: 'Trial' },
  active: { mark: 'ok', word: 'Active' },
  past_due: { mark: 'warn', word: 'Past due', tone: 'warn' },
  suspended: { mark: 'bad', word: 'Suspended', tone: 'bad' },
  expired: { mark: 'pause', word: 'Trial ended' },
  cancelled: { mark: 'skip', word: 'Cancelled' },
};

export const ORDER_STATUS: Record<Order['status'], Label> = {
  confirmed: { mark: 'wait', word: 'To be invoiced' },
  invoiced: { mark: 'ok', word: 'Invoiced' },
  void: { mark: 'skip', word: 'Void' },
};

export const USAGE_KIND: Record<UsageKind, string> = {
  run: 'Run',
  ai_tokens: 'AI tokens',
  purchase: 'Purchase',
  grant: 'Grant',
  adjustment: 'Adjustment',
};

/** Status of an invoice; how many days it is overdue when it is. */
export function invoiceState({ kind, status, overdueDays }: Pick<Invoice, 'kind' | 'status' | 'overdueDays'>): Label {
  // A credit note waits for nothing.
  if (kind === 'credit_note' && status === 'issued') return { mark: 'ok', word: 'Issued' };
  if (overdueDays > 0) return { mark: 'bad', word: `Overdue ${plural(overdueDays, 'day')}`, tone: 'bad' };
  return INVOICE_STATUS[status];
}

/** "Invoice 2026-000123", "Credit note 2026-000124", "Draft invoice". */
export function invoiceName({ kind, number, status }: Pick<Invoice, 'kind' | 'number' | 'status'>): string {
  const word = kind === 'credit_note' ? 'Credit note' : 'Invoice';
  return number ? `${word} ${number}` : `${status === 'void' ? 'Void draft' : 'Draft'} ${word.toLowerCase()}`;
}

/** "2 seats", "2 × 1,000 credits". */
export function orderName({ kind, quantity, credits }: Pick<Order, 'kind' | 'quantity' | 'credits'>): string {
  if (kind === 'seats') return plural(quantity, 'seat');
  const each = (credits ?? 0) / quantity;
  return quantity === 1 ? `${formatNumber(credits ?? 0)} credits` : `${quantity} × ${formatNumber(each)} credits`;
}

/** An amount with all decimals of its currency, so that amounts line up: "$29.00", "−$29.00". */
export function amountOf(minor: number, currency: string): string {
  return formatMoney(minor, currency).replace('-', '−');
}

/** The day of an instant of billing. Periods and due dates are in UTC, not in the viewer's zone. */
export function billingDay(iso: string): string {
  return formatDay(iso, new Date(), 'UTC');
}

/** "1 Nov to 1 Dec". */
export function periodText({ periodStart, periodEnd }: { periodStart: string | null; periodEnd: string | null }): string {
  if (periodStart === null) return '';
  return periodEnd === null ? billingDay(periodStart) : `${billingDay(periodStart)} to ${billingDay(periodEnd)}`;
}

/** "19%", "7.5%". */
export function rateText(basisPoints: number): string {
  return `${basisPoints / 100}%`;
}

/** The plan of the next period where it is another one: one that waits and does not fit what is in use will not begin. */
export function nextPlanOf({ pendingPlan }: Pick<Subscription, 'pendingPlan'>): Subscription['pendingPlan'] {
  return pendingPlan?.exceeds.length === 0 ? pendingPlan : null;
}

/** "12 clients in use, 10 included". */
export function excessText(exceeds: PlanChange['exceeds']): string {
  return joinWords(exceeds.map(({ what, used, limit }) => `${plural(used, what.slice(0, -1))} in use, ${formatNumber(limit)} included`));
}

/** "100 of them left", once the period uses purchased credits; undefined while all are left. */
export function boughtLeft(credits: Parameters<typeof creditsToTake>[0]): string | undefined {
  const left = creditsToTake(credits);
  return left < credits.purchased ? `${formatNumber(left)} of them left` : undefined;
}

/** Until when new events are refused, once the credits are used. */
export function refusedUntil({ resetsAt, endsAt }: { resetsAt: string; endsAt: string | null }): string {
  return endsAt === null
    ? `New events are refused until ${billingDay(resetsAt)}.`
    : `New events are refused. Your plan ends on ${billingDay(endsAt)}, before new monthly credits come.`;
}

/** How the credits of a period go on: "resets 18 Dec", "2,000 on Starter from 18 Dec", and "until 18 Dec" where the subscription ends. */
export function creditsAfter({ credits, subscription }: Pick<Billing, 'credits' | 'subscription'>): string {
  const next = nextPlanOf(subscription);
  if (credits.endsAt !== null) return `until ${billingDay(credits.endsAt)}`;
  return next === null
    ? `resets ${billingDay(credits.resetsAt)}`
    : `${formatNumber(next.terms.monthlyCredits)} on ${next.planName} from ${billingDay(next.at)}`;
}
