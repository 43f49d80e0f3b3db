import { z } from 'zod';
import { id, time } from '../primitives.ts';
import { SSO_PROBLEMS, SSO_PROTOCOLS } from '../vocabulary.ts';

/** A partner's connection to its identity provider; null members belong to the other protocol. The secret is never included. */
export const ssoConnection = z
  .object({
    /** The partner's id, since there is one per partner; null until one is saved. */
    id: id.nullable(),
    configured: z.boolean(),
    /** Whether the plan includes single sign-on. */
    available: z.boolean(),
    protocol: z.enum(SSO_PROTOCOLS).nullable(),
    status: z.enum(['draft', 'verified']).nullable(),
    enforced: z.boolean(),
    emailDomains: z.array(z.string()),
    issuer: z.string().nullable(),
    clientId: z.string().nullable(),
    metadataUrl: z.string().nullable(),
    metadataProblem: z.string().nullable(),
    verifiedAt: time.nullable(),
    lastLoginAt: time.nullable(),
    certificateExpiresAt: time.nullable(),
    /** Whether the caller signed in through this connection, which enforcing it requires. */
    callerSignedIn: z.boolean(),
    lastTest: z
      .object({
        at: time,
        ok: z.boolean(),
        problem: z.enum(SSO_PROBLEMS).nullable(),
        detail: z.string().nullable(),
        claims: z.record(z.string(), z.string()),
      })
      .nullable(),
    /** To be entered at the provider. */
    loginUrl: z.string(),
    acsUrl: z.string(),
    entityId: z.string(),
    callbackUrl: z.string(),
    updatedAt: time.nullable(),
  })
  .meta({ id: 'SsoConnection' });
