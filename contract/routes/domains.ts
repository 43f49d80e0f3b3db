import { z } from 'zod';
import { defineRoute } from '../define-route.ts';
import { nothing } from '../primitives.ts';
import { ownDomain } from '../records/domain.ts';
import { isPublic, partner, partnerWrite } from './access.ts';

const tag = 'partners';

export const domainRoutes = {
  getMyDomain: defineRoute({
    method: 'GET',
    path: '/partners/me/domain',
    tag,
    summary: 'Get the custom domain of the client portal, and the records that prove it',
    access: partner,
    reply: { 200: ownDomain },
    errors: [],
  }),
  putMyDomain: defineRoute({
    method: 'PUT',
    path: '/partners/me/domain',
    tag,
    summary: 'Set the custom domain; it is served once its TXT record is found',
    access: partnerWrite,
    body: z.object({
      /** A host name such as `portal.agency.example`, without port and path. */
      host: z
        .string()
        .trim()
        .min(1)
        .max(253)
        .meta({ examples: ['portal.agency.example'] }),
    }),
    reply: { 200: ownDomain },
    errors: ['validation_failed', 'plan_feature_required', 'already_exists'],
    audit: 'domain.saved',
  }),
  verifyMyDomain: defineRoute({
    method: 'POST',
    path: '/partners/me/domain/verify',
    tag,
    summary: 'Look for the TXT record now',
    access: partnerWrite,
    reply: { 200: ownDomain },
    errors: ['not_found', 'plan_feature_required', 'rate_limited'],
    audit: 'domain.checked',
  }),
  deleteMyDomain: defineRoute({
    method: 'DELETE',
    path: '/partners/me/domain',
    tag,
    summary: 'Remove the custom domain; it is no longer served',
    access: partnerWrite,
    reply: { 204: nothing },
    errors: ['not_found'],
    audit: 'domain.removed',
  }),
  askDomain: defineRoute({
    method: 'GET',
    path: '/domains/ask',
    tag,
    summary: 'Check, for a TLS proxy, whether a certificate may be issued for a host: 200 if the host is served, else 404',
    access: isPublic,
    // The proxy asks for everyone from one address: a count would let a stranger's invented names keep out real ones. An answer costs a look into memory.
    limit: 'none',
    query: z.object({ domain: z.string().max(300) }),
    reply: { 200: z.object({ served: z.literal(true) }) },
    errors: ['not_found', 'invalid_query'],
  }),
};
