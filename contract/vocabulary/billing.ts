export const PLAN_REQUEST_KINDS = ['signup', 'trial', 'change', 'custom'] as const;
export type PlanRequestKind = (typeof PLAN_REQUEST_KINDS)[number];

export const PLAN_REQUEST_STATUSES = ['pending', 'approved', 'rejected', 'cancelled'] as const;
export type PlanRequestStatus = (typeof PLAN_REQUEST_STATUSES)[number];

/** `expired`: the trial has ended. `cancelled`: ended with its period. */
export const SUBSCRIPTION_STATUSES = ['trialing', 'active', 'past_due', 'suspended', 'expired', 'cancelled'] as const;
export type SubscriptionStatus = (typeof SUBSCRIPTION_STATUSES)[number];

export const ORDER_KINDS = ['seats', 'credits'] as const;
export type OrderKind = (typeof ORDER_KINDS)[number];

export const ORDER_STATUSES = ['confirmed', 'invoiced', 'void'] as const;

export const INVOICE_KINDS = ['invoice', 'credit_note'] as const;
export type InvoiceKind = (typeof INVOICE_KINDS)[number];

export const INVOICE_STATUSES = ['draft', 'issued', 'paid', 'void'] as const;
export type InvoiceStatus = (typeof INVOICE_STATUSES)[number];

/** `plan_credit`: the unused rest of a plan that was replaced. `credit_note`: a line of a credit note. */
export const INVOICE_LINE_KINDS = ['plan', 'seats', 'credits', 'plan_credit', 'credit_note'] as const;
export type InvoiceLineKind = (typeof INVOICE_LINE_KINDS)[number];

export const USAGE_KINDS = ['run', 'ai_tokens', 'purchase', 'grant', 'adjustment'] as const;
export type UsageKind = (typeof USAGE_KINDS)[number];

/** The currency of a form that no plan gives one. */
export const PRESET_CURRENCY = 'USD';
