import { z } from 'zod';
import { defineRoute } from '../define-route.ts';
import { idList } from '../primitives.ts';
import { onboarding, partnerOnboarding, sampleStart } from '../records/onboarding.ts';
import { LIMITS, ONBOARDING_KEYS } from '../vocabulary.ts';
import { partner, partnerWrite, staff } from './access.ts';

const tag = 'partners';
const stepParams = z.object({ step: z.enum([...ONBOARDING_KEYS, 'all']) });

export const onboardingRoutes = {
  getOnboarding: defineRoute({
    method: 'GET',
    path: '/partners/me/onboarding',
    tag,
    summary: 'Get the first steps, computed from the account’s data, and the sample run',
    access: partner,
    reply: { 200: onboarding },
    errors: [],
  }),
  dismissOnboarding: defineRoute({
    method: 'POST',
    path: '/partners/me/onboarding/:step/dismiss',
    tag,
    summary: 'Hide a first step from the checklist of the agency, or all of them',
    access: partnerWrite,
    params: stepParams,
    reply: { 200: onboarding },
    errors: ['not_found'],
    audit: 'onboarding.dismissed',
  }),
  restoreOnboarding: defineRoute({
    method: 'DELETE',
    path: '/partners/me/onboarding/:step/dismiss',
    tag,
    summary: 'Show a hidden first step again',
    access: partnerWrite,
    params: stepParams,
    reply: { 200: onboarding },
    errors: ['not_found'],
    audit: 'onboarding.restored',
  }),
  startSampleRun: defineRoute({
    method: 'POST',
    path: '/partners/me/onboarding/sample',
    tag,
    summary: 'Run the agent that needs no key with the sample of its template, installing it first where it is not',
    access: partnerWrite,
    reply: { 202: sampleStart },
    errors: [
      'invalid_state',
      'provision_in_progress',
      'not_found',
      'workflow_inactive',
      'quota_exceeded',
      'account_suspended',
      'rate_limited',
      'missing_input',
      'invalid_input',
      'engine_unavailable',
    ],
    audit: 'workflow.triggered',
    idempotent: true,
  }),
  listPartnerOnboarding: defineRoute({
    method: 'GET',
    path: '/partners/onboarding',
    tag,
    summary: 'Get the progress of agencies through their first steps',
    access: staff,
    query: z.object({
      /** Ids of agencies, separated by commas. */
      ids: idList(LIMITS.pageMax),
    }),
    reply: { 200: z.array(partnerOnboarding) },
    errors: ['invalid_query'],
  }),
};
