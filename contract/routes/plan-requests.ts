import { z } from 'zod';
import { csvOf } from '../csv-of.ts';
import { defineRoute, type SessionAccess } from '../define-route.ts';
import { email, id, idParams, optionalText, page, pageQuery, slug, text, webAddress } from '../primitives.ts';
import { subscriptionRecord } from '../records/billing.ts';
import { invitationWithLink } from '../records/invitation.ts';
import { partnerRecord } from '../records/partner.ts';
import { planOverrides, planRequestRecord } from '../records/plan.ts';
import { LIMITS, PLAN_REQUEST_KINDS, PLAN_REQUEST_STATUSES } from '../vocabulary.ts';
import { isPublic, staffWrite } from './access.ts';

/** A plan is the way back for an agency whose trial or subscription ended, which suspended its account. */
const readsRequests: SessionAccess = { kind: 'session', roles: ['ADMIN', 'PARTNER'], write: false, whileSuspended: true };
const sendsRequests: SessionAccess = { kind: 'session', roles: ['PARTNER'], write: true, whileSuspended: true };

/** The application form. `acceptTerms` must be true. */
const application = z.object({
  email,
  fullName: text(LIMITS.nameMax),
  companyName: text(LIMITS.nameMax),
  website: webAddress.optional(),
  country: optionalText(60).optional(),
  expectedClients: z.number().int().min(0).max(100_000).optional(),
  message: optionalText(2_000).optional(),
  acceptTerms: z.literal(true),
  newsletter: z.boolean().optional(),
});
/** The same response for known and unknown addresses, so that it reveals no accounts. */
const received = (kind: 'signup' | 'trial') =>
  z.object({ planRequest: z.object({ id, kind: z.literal(kind), status: z.literal('pending') }) });

const filters = { kind: z.enum(PLAN_REQUEST_KINDS).optional(), status: z.enum(PLAN_REQUEST_STATUSES).optional() };
const desired = z.object({
  seats: z.number().int().min(0).max(100_000).optional(),
  clients: z.number().int().min(0).max(1_000_000).optional(),
  credits: z.number().int().min(0).max(1_000_000_000).optional(),
  features: z.array(text(60)).max(20).optional(),
});

const listPlanRequests = defineRoute({
  method: 'GET',
  path: '/custom-plan-requests',
  tag: 'custom-plan-requests',
  summary: 'List applications and plan requests in scope',
  access: readsRequests,
  query: pageQuery.extend(filters),
  reply: { 200: page(planRequestRecord) },
  errors: ['invalid_cursor', 'invalid_query', 'account_suspended'],
});

/** Applications and requests for other terms: both are plan requests that staff decide. */
export const planRequestRoutes = {
  register: defineRoute({
    method: 'POST',
    path: '/auth/register',
    tag: 'auth',
    summary: 'Apply for a workspace; staff confirm the plan',
    access: isPublic,
    mainHostOnly: true,
    limit: 'register',
    body: application.extend({ planId: id.optional() }),
    reply: { 202: received('signup') },
    errors: ['validation_failed'],
    audit: 'plan_request.submitted',
  }),
  registerTrial: defineRoute({
    method: 'POST',
    path: '/auth/register-trial',
    tag: 'auth',
    summary: 'Apply for a trial workspace; staff confirm it',
    access: isPublic,
    mainHostOnly: true,
    limit: 'register',
    body: application,
    reply: { 202: received('trial') },
    errors: ['validation_failed'],
    audit: 'plan_request.submitted',
  }),
  createPlanRequest: defineRoute({
    method: 'POST',
    path: '/custom-plan-requests',
    tag: 'custom-plan-requests',
    summary: 'Ask for another plan or for terms of your own',
    access: sendsRequests,
    body: z.object({ kind: z.enum(['change', 'custom']), planId: id.optional(), desired: desired.optional(), message: text(2_000) }),
    reply: { 201: planRequestRecord },
    errors: ['validation_failed', 'not_found', 'account_suspended', 'already_pending'],
    audit: 'plan_request.submitted',
  }),
  listPlanRequests,
  exportPlanRequests: csvOf(listPlanRequests),
  getPlanRequest: defineRoute({
    method: 'GET',
    path: '/custom-plan-requests/:id',
    tag: 'custom-plan-requests',
    summary: 'Get a request',
    access: readsRequests,
    params: idParams,
    reply: { 200: planRequestRecord },
    errors: ['not_found', 'account_suspended'],
  }),
  sendApplicationMail: defineRoute({
    method: 'POST',
    path: '/custom-plan-requests/:id/send-mail',
    tag: 'custom-plan-requests',
    summary: 'Send the confirmation of an application that waits; the portal does it when staff open the application',
    access: staffWrite,
    params: idParams,
    reply: { 200: planRequestRecord },
    errors: ['not_found'],
    audit: 'plan_request.mail_sent',
  }),
  approvePlanRequest: defineRoute({
    method: 'POST',
    path: '/custom-plan-requests/:id/approve',
    tag: 'custom-plan-requests',
    summary: 'Approve: an application becomes a workspace with its owner invited, a request becomes the new terms',
    access: staffWrite,
    params: idParams,
    body: z.object({
      planId: id,
      overrides: planOverrides.optional(),
      slug: slug.optional(),
      trialDays: z.number().int().min(1).max(365).optional(),
      note: optionalText(2_000).optional(),
    }),
    reply: {
      200: z.object({
        request: planRequestRecord,
        partner: partnerRecord,
        /** Its terms as they are now; those that wait for the end of the period are in `pendingPlan`. */
        subscription: subscriptionRecord,
        invitation: invitationWithLink.nullable(),
      }),
    },
    errors: ['validation_failed', 'not_found', 'invalid_state', 'already_exists', 'email_in_use'],
    audit: 'plan_request.approved',
  }),
  rejectPlanRequest: defineRoute({
    method: 'POST',
    path: '/custom-plan-requests/:id/reject',
    tag: 'custom-plan-requests',
    summary: 'Reject; the applicant is notified by mail',
    access: staffWrite,
    params: idParams,
    body: z.object({ note: text(2_000) }),
    reply: { 200: planRequestRecord },
    errors: ['validation_failed', 'not_found', 'invalid_state'],
    audit: 'plan_request.rejected',
  }),
  cancelPlanRequest: defineRoute({
    method: 'POST',
    path: '/custom-plan-requests/:id/cancel',
    tag: 'custom-plan-requests',
    summary: 'Withdraw the caller’s request',
    access: sendsRequests,
    params: idParams,
    body: z.object({ note: optionalText(2_000).optional() }).optional(),
    reply: { 200: planRequestRecord },
    errors: ['not_found', 'invalid_state', 'account_suspended', 'validation_failed'],
    audit: 'plan_request.cancelled',
  }),
};
