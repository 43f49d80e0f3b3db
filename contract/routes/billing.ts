import { z } from 'zod';
import type { SessionAccess } from '../define-route.ts';
import { csvOf } from '../csv-of.ts';
import { defineRoute } from '../define-route.ts';
import { email, id, idParams, optionalText, page, pageQuery, pdfDocument, queryFlag, text, time } from '../primitives.ts';
import {
  adjustmentRecord,
  billingRecord,
  billingSettings,
  excess,
  invoiceDetail,
  invoiceLine,
  invoiceRecord,
  orderRecord,
  subscriptionRecord,
} from '../records/billing.ts';
import { planOverrides } from '../records/plan.ts';
import { INVOICE_STATUSES, LIMITS, ORDER_KINDS, ORDER_STATUSES } from '../vocabulary.ts';
import { partnerWrite, staff, staffWrite } from './access.ts';

/** Billing stays readable for a suspended account: it has to see what it owes. */
const readsBilling: SessionAccess = { kind: 'session', roles: ['ADMIN', 'PARTNER'], write: false, whileSuspended: true };

const scope = { partnerId: id.optional() };
const range = { from: time.optional(), to: time.optional() };
const orderFilters = { ...scope, ...range, kind: z.enum(ORDER_KINDS).optional(), status: z.enum(ORDER_STATUSES).optional() };
const invoiceFilters = { ...scope, ...range, status: z.enum(INVOICE_STATUSES).optional(), overdue: queryFlag.optional() };
const number = (max: number) => z.coerce.number().int().min(0).max(max).optional();
/** Overrides to preview, for staff: all that the new terms would have. Without any, the plan's own terms. */
const overriding = {
  monthlyPriceMinor: number(1_000_000_000),
  seatPriceMinor: number(1_000_000_000),
  includedSeats: number(1_000_000),
  includedClients: number(1_000_000),
  monthlyCredits: number(1_000_000_000),
  sso: queryFlag.optional(),
  chatbot: queryFlag.optional(),
  customTemplates: queryFlag.optional().describe('Opens nothing today'),
  aiPlatformKeys: queryFlag.optional(),
  customDomain: queryFlag.optional(),
  auditRetentionDays: number(36_500),
};
const country = z
  .string()
  .trim()
  .toUpperCase()
  .regex(/^[A-Z]{2}$/, 'Use a country code such as US or DE.');

const listOrders = defineRoute({
  method: 'GET',
  path: '/billing/orders',
  tag: 'billing',
  summary: 'List orders of seats and credits',
  access: readsBilling,
  query: pageQuery.extend(orderFilters),
  reply: { 200: page(orderRecord) },
  errors: ['not_found', 'scope_forbidden', 'invalid_cursor', 'invalid_query'],
});

const listInvoices = defineRoute({
  method: 'GET',
  path: '/billing/invoices',
  tag: 'billing',
  summary: 'List invoices and credit notes; only staff see drafts',
  access: readsBilling,
  query: pageQuery.extend(invoiceFilters),
  reply: { 200: page(invoiceRecord) },
  errors: ['not_found', 'scope_forbidden', 'invalid_cursor', 'invalid_query'],
});

const shownPrice = z
  .number()
  .int()
  .min(0)
  .optional()
  .describe('Price of one as it was shown, in minor units. When it changed since, nothing is bought (409).');

export const billingRoutes = {
  getBilling: defineRoute({
    method: 'GET',
    path: '/billing',
    tag: 'billing',
    summary: 'Get plan, terms, seats, credits and the next invoice',
    access: readsBilling,
    query: z.object(scope),
    reply: { 200: billingRecord },
    errors: ['not_found', 'scope_forbidden', 'invalid_query'],
  }),
  previewPlanChange: defineRoute({
    method: 'GET',
    path: '/billing/plan-change',
    tag: 'billing',
    summary: 'Preview what a change of plan charges and changes, and when; the current plan unless one is named',
    access: readsBilling,
    query: z.object({ ...scope, ...overriding, planId: id.optional() }),
    reply: {
      200: z.object({
        direction: z.enum(['up', 'down', 'same']),
        /** Now for a move up, the end of the period for a move down. */
        effectiveAt: time,
        currency: z.string(),
        lines: z.array(invoiceLine),
        dueNowMinor: z.number().int(),
        /** When the lines are invoiced: now if a period begins, otherwise at the end of the present one. Null without lines. */
        invoicedAt: time.nullable(),
        /** Purchased seats billed from the next period on, without the change and with it: those that the terms include are not, nor released ones. */
        taxRateBasisPoints: z.number().int(),
        purchasedSeats: z.object({ before: z.number().int(), after: z.number().int() }),
        nextMonthlyMinor: z.number().int(),
        /** When `nextMonthlyMinor` is charged for the first time. */
        nextChargeAt: time,
        /** The subscription was cancelled at the end of its period; with the change it goes on. */
        withdrawsCancellation: z.boolean(),
        /** Usage that does not fit into the plan: it must be reduced before the change. */
        exceeds: z.array(excess),
      }),
    },
    errors: ['not_found', 'scope_forbidden', 'invalid_query', 'invalid_state'],
  }),
  buySeats: defineRoute({
    method: 'POST',
    path: '/billing/seats',
    tag: 'billing',
    summary: 'Buy team seats: usable at once, charged on the next invoice for the rest of the period, and monthly from the next one',
    access: partnerWrite,
    body: z.object({ quantity: z.number().int().min(1).max(LIMITS.seatsPerOrderMax), unitPriceMinor: shownPrice }),
    reply: { 201: orderRecord },
    errors: ['validation_failed', 'invalid_state', 'seat_limit_reached'],
    audit: 'billing.seats_bought',
    idempotent: true,
  }),
  releaseSeats: defineRoute({
    method: 'POST',
    path: '/billing/seats/release',
    tag: 'billing',
    summary: 'Set how many purchased seats end with the period; 0 keeps all',
    access: partnerWrite,
    // Several orders may have bought them. The module refuses more than were bought.
    body: z.object({ quantity: z.number().int().min(0).max(1_000_000) }),
    reply: { 200: subscriptionRecord },
    errors: ['validation_failed', 'invalid_state', 'seat_limit_reached'],
    audit: 'billing.seats_released',
  }),
  buyCredits: defineRoute({
    method: 'POST',
    path: '/billing/credits',
    tag: 'billing',
    summary: 'Buy credit packs: usable at once, they never expire',
    access: partnerWrite,
    body: z.object({
      packId: text(60),
      quantity: z.number().int().min(1).max(LIMITS.packsPerOrderMax).default(1),
      unitPriceMinor: shownPrice,
      packCredits: z
        .number()
        .int()
        .min(1)
        .optional()
        .describe('Credits of the pack as they were shown. When they changed since, nothing is bought (409).'),
    }),
    reply: { 201: orderRecord },
    errors: ['validation_failed', 'invalid_state'],
    audit: 'billing.credits_bought',
    idempotent: true,
  }),
  listOrders,
  exportOrders: csvOf(listOrders),
  updateBillingSettings: defineRoute({
    method: 'PATCH',
    path: '/billing/settings',
    tag: 'billing',
    summary: 'Change who is invoiced, and where',
    access: partnerWrite,
    body: z
      .object({
        billingEmail: email.nullable(),
        taxId: optionalText(40).nullable(),
        address: optionalText(500).nullable(),
        country: country.nullable(),
      })
      .partial(),
    reply: { 200: billingSettings },
    errors: ['validation_failed', 'stale_record'],
    audit: 'billing.settings_changed',
  }),
  adjustBilling: defineRoute({
    method: 'POST',
    path: '/billing/adjustments',
    tag: 'billing',
    summary: 'Add or take credits or seats without charge; countered by another adjustment, never changed',
    access: staffWrite,
    body: z
      .object({
        partnerId: id,
        credits: z.number().int().min(-1_000_000_000).max(1_000_000_000).optional(),
        seats: z.number().int().min(-10_000).max(10_000).optional(),
        note: text(500),
      })
      .refine(({ credits, seats }) => (credits === undefined) !== (seats === undefined), {
        message: 'Name either credits or seats.',
        path: ['credits'],
      })
      .refine(({ credits, seats }) => (credits ?? seats) !== 0, { message: 'Use a number other than 0.', path: ['credits'] })
      .meta({ examples: [{ partnerId: '0198c2f4-7a10-7c3e-9b52-4f1d2a6e8c01', credits: 500, note: 'Agreed by phone.' }] }),
    reply: { 201: adjustmentRecord },
    errors: ['validation_failed', 'not_found', 'invalid_state', 'seat_limit_reached'],
    audit: 'billing.adjusted',
    idempotent: true,
  }),
  updateSubscription: defineRoute({
    method: 'PATCH',
    path: '/billing/subscriptions/:partnerId',
    tag: 'billing',
    summary: 'Change the terms of an agency, its tax, or pause its payment clock',
    access: staffWrite,
    params: z.object({ partnerId: id }),
    body: z
      .object({
        planId: id,
        /** `cancelled` takes effect at the end of the period, `active` withdraws that. */
        status: z.enum(['active', 'past_due', 'suspended', 'cancelled']),
        overrides: planOverrides,
        currentPeriodEnd: time,
        taxRateBasisPoints: z.number().int().min(0).max(10_000),
        taxNote: optionalText(200).nullable(),
        /** A reason pauses reminders, `past_due` and suspension; null lets the clock run again. */
        clockPausedReason: text(500).nullable(),
      })
      .partial(),
    reply: { 200: subscriptionRecord },
    errors: ['validation_failed', 'not_found', 'invalid_state', 'seat_limit_reached', 'client_limit_reached', 'stale_record'],
    audit: 'billing.subscription_changed',
  }),
  listInvoices,
  exportInvoices: csvOf(listInvoices),
  getRevenue: defineRoute({
    method: 'GET',
    path: '/billing/revenue',
    tag: 'billing',
    summary: 'Get the amounts invoiced and paid by month and currency, net of credit notes',
    access: staff,
    query: z.object({ months: z.coerce.number().int().min(1).max(36).default(12) }),
    reply: {
      200: z.array(z.object({ month: z.string(), currency: z.string(), invoicedMinor: z.number().int(), paidMinor: z.number().int() })),
    },
    errors: ['invalid_query'],
  }),
  getInvoice: defineRoute({
    method: 'GET',
    path: '/billing/invoices/:id',
    tag: 'billing',
    summary: 'Get an invoice with its lines',
    access: readsBilling,
    params: idParams,
    reply: { 200: invoiceDetail },
    errors: ['not_found'],
  }),
  getInvoicePdf: defineRoute({
    method: 'GET',
    path: '/billing/invoices/:id/pdf',
    tag: 'billing',
    summary: 'Get the invoice as PDF, the same bytes each time',
    access: readsBilling,
    params: idParams,
    format: 'pdf',
    reply: { 200: pdfDocument },
    errors: ['not_found', 'invalid_state', 'service_unavailable'],
  }),
  issueInvoice: defineRoute({
    method: 'POST',
    path: '/billing/invoices/:id/issue',
    tag: 'billing',
    summary: 'Issue a draft: it gets its number, is frozen and mailed',
    access: staffWrite,
    params: idParams,
    reply: { 200: invoiceDetail },
    errors: ['not_found', 'invalid_state'],
    audit: 'invoice.issued',
  }),
  payInvoice: defineRoute({
    method: 'POST',
    path: '/billing/invoices/:id/pay',
    tag: 'billing',
    summary: 'Record the payment of an issued invoice',
    access: staffWrite,
    params: idParams,
    body: z.object({ reference: text(120), paidAt: time.optional() }),
    reply: { 200: invoiceDetail },
    errors: ['validation_failed', 'not_found', 'invalid_state'],
    audit: 'invoice.paid',
  }),
  voidInvoice: defineRoute({
    method: 'POST',
    path: '/billing/invoices/:id/void',
    tag: 'billing',
    summary: 'Void a draft or an unpaid invoice; it keeps its number',
    access: staffWrite,
    params: idParams,
    body: z.object({
      reason: text(500),
      replace: z
        .boolean()
        .optional()
        .describe(
          'Drafts an issued invoice again: the same lines, period and orders, issued with the billing details and the tax of then.',
        ),
    }),
    reply: { 200: invoiceDetail },
    errors: ['validation_failed', 'not_found', 'invalid_state'],
    audit: 'invoice.voided',
  }),
  creditInvoice: defineRoute({
    method: 'POST',
    path: '/billing/invoices/:id/credit',
    tag: 'billing',
    summary: 'Issue a credit note for an issued or paid invoice',
    access: staffWrite,
    params: idParams,
    body: z.object({
      /** Amounts are positive: what is taken off the invoice. */
      lines: z
        .array(
          z.object({
            description: text(200),
            quantity: z.number().int().min(1).max(1_000_000).default(1),
            unitPriceMinor: z.number().int().min(1).max(1_000_000_000),
          }),
        )
        .min(1)
        .max(LIMITS.creditLinesMax),
      reason: text(500),
    }),
    reply: { 201: invoiceDetail },
    errors: ['validation_failed', 'not_found', 'invalid_state'],
    audit: 'invoice.credited',
    idempotent: true,
  }),
};
