import { z } from 'zod';
import { id, time } from '../primitives.ts';
import { INVOICE_KINDS, INVOICE_LINE_KINDS, INVOICE_STATUSES, ORDER_KINDS, ORDER_STATUSES, SUBSCRIPTION_STATUSES } from '../vocabulary.ts';
import { planOverrides, planRecord } from './plan.ts';
import { features } from './user.ts';

const minor = z.number().int();
const count = z.number().int();

/** Terms in force: the plan with the partner's overrides in place. */
export const termsRecord = z
  .object({
    monthlyPriceMinor: minor,
    currency: z.string(),
    seatPriceMinor: minor,
    includedSeats: count,
    includedClients: count,
    monthlyCredits: count,
    features,
  })
  .meta({ id: 'Terms' });

/** Usage beyond a limit of other terms. */
export const excess = z.object({ what: z.enum(['clients', 'seats']), used: count, limit: count });

export const subscriptionRecord = z
  .object({
    id,
    partnerId: id,
    planId: id,
    planName: z.string(),
    status: z.enum(SUBSCRIPTION_STATUSES),
    currentPeriodStart: time,
    currentPeriodEnd: time,
    trialEndsAt: time.nullable(),
    purchasedSeats: count,
    grantedSeats: count,
    purchasedCredits: count,
    overrides: planOverrides,
    terms: termsRecord,
    cancelAt: time.nullable(),
    /** Seats that end with the period, as far as they are free then. */
    pendingSeatRelease: count,
    /** Purchased seats that the terms of the next period include, as far as they are free now: they end with this one. */
    pendingSeatsIncluded: count,
    /** The plan that replaces this one when the period ends, unless it `exceeds` its limits then: those that what is in use now exceeds. */
    pendingPlan: z
      .object({ planId: id, planName: z.string(), overrides: planOverrides, terms: termsRecord, at: time, exceeds: z.array(excess) })
      .nullable(),
    pastDueSince: time.nullable(),
    /** When the account is suspended unless the overdue invoices are paid. */
    suspendsAt: time.nullable(),
    /** `reason` is for staff, and null to others. */
    clockPaused: z.object({ at: time, reason: z.string().nullable() }).nullable(),
    updatedAt: time,
  })
  .meta({ id: 'Subscription' });

export const invoiceLine = z
  .object({
    id: id.nullable(),
    kind: z.enum(INVOICE_LINE_KINDS),
    description: z.string(),
    quantity: count,
    unitPriceMinor: minor,
    amountMinor: minor,
    periodStart: time.nullable(),
    periodEnd: time.nullable(),
    orderId: id.nullable(),
  })
  .meta({ id: 'InvoiceLine' });

export const billingSettings = z.object({
  billingEmail: z.string().nullable(),
  taxId: z.string().nullable(),
  address: z.string().nullable(),
  /** ISO 3166-1 alpha-2. Decides the paper size of invoices. */
  country: z.string().nullable(),
  /** Null before the first change. */
  updatedAt: time.nullable(),
});

export const billingRecord = z
  .object({
    partnerId: id,
    plan: planRecord,
    subscription: subscriptionRecord,
    /** `used`: members and pending invitations. */
    seats: z.object({ included: count, purchased: count, used: count, pendingInvites: count, free: count }),
    credits: z.object({
      monthly: count,
      purchased: count,
      used: count,
      remaining: count,
      /** When these credits began: for a trial after an ended one, later than the period of the subscription. */
      periodStart: time,
      resetsAt: time,
      /** When the trial or the cancelled subscription ends, if no new credits come before; null otherwise. */
      endsAt: time.nullable(),
      /** When the credits run out at the present pace; null when they last. */
      forecast: time.nullable(),
    }),
    /** The expected next invoice; null when nothing will be charged. */
    nextInvoice: z
      .object({ at: time, currency: z.string(), lines: z.array(invoiceLine), subtotalMinor: minor, taxMinor: minor, totalMinor: minor })
      .nullable(),
    settings: billingSettings,
    tax: z.object({ rateBasisPoints: count, note: z.string().nullable() }),
  })
  .meta({ id: 'Billing' });

export const orderRecord = z
  .object({
    id,
    partnerId: id,
    kind: z.enum(ORDER_KINDS),
    quantity: count,
    unitPriceMinor: minor,
    /** The charge for the rest of the period. */
    amountMinor: minor,
    currency: z.string(),
    packId: z.string().nullable(),
    credits: count.nullable(),
    status: z.enum(ORDER_STATUSES),
    orderedBy: id.nullable(),
    orderedByName: z.string().nullable(),
    invoiceId: id.nullable(),
    createdAt: time,
  })
  .meta({ id: 'Order' });

export const adjustmentRecord = z
  .object({
    id,
    partnerId: id,
    credits: count.nullable(),
    seats: count.nullable(),
    note: z.string(),
    adjustedBy: id.nullable(),
    createdAt: time,
  })
  .meta({ id: 'BillingAdjustment' });

export const invoiceRecord = z
  .object({
    id,
    partnerId: id,
    partnerName: z.string(),
    kind: z.enum(INVOICE_KINDS),
    status: z.enum(INVOICE_STATUSES),
    number: z.string().nullable(),
    currency: z.string(),
    periodStart: time.nullable(),
    periodEnd: time.nullable(),
    subtotalMinor: minor,
    taxRateBasisPoints: count,
    taxMinor: minor,
    totalMinor: minor,
    /** The amount left to pay, less credit notes; 0 unless it is an issued invoice. */
    owedMinor: minor,
    issuedAt: time.nullable(),
    dueAt: time.nullable(),
    /** Whole days since the due date, 0 when it is not overdue. */
    overdueDays: count,
    paidAt: time.nullable(),
    paidReference: z.string().nullable(),
    voidedAt: time.nullable(),
    voidReason: z.string().nullable(),
    /** The invoice that a credit note corrects. */
    creditsInvoiceId: id.nullable(),
    createdAt: time,
  })
  .meta({ id: 'Invoice' });

/** A party as printed on an invoice; frozen when it is issued. */
export const invoiceParty = z.object({
  name: z.string(),
  address: z.string().nullable(),
  country: z.string().nullable(),
  taxId: z.string().nullable(),
  email: z.string().nullable(),
});

export const invoiceDetail = invoiceRecord
  .extend({
    lines: z.array(invoiceLine),
    taxNote: z.string().nullable(),
    seller: invoiceParty.nullable(),
    buyer: invoiceParty,
    paymentInstructions: z.string().nullable(),
    /** Why a credit note was issued. */
    creditReason: z.string().nullable(),
    creditNotes: z.array(
      z.object({ id, number: z.string().nullable(), subtotalMinor: minor, totalMinor: minor, issuedAt: time.nullable() }),
    ),
  })
  .meta({ id: 'InvoiceDetail' });
