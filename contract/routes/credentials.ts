import { z } from 'zod';
import { defineRoute } from '../define-route.ts';
import { id, json, nothing, time } from '../primitives.ts';
import { credentialSummary, requirement, requirementCounts } from '../records/credential.ts';
import { LIMITS, SOURCE_MODES } from '../vocabulary.ts';
import { anyone, partnerOrClientWrite } from './access.ts';

/** Free text on purpose: an unknown provider is 404, `code` is 422 not_a_stored_credential. */
const params = z.object({ provider: z.string().max(40) });
const scope = z.object({ clientId: id.optional() });

export const credentialRoutes = {
  putCredential: defineRoute({
    method: 'PUT',
    path: '/credentials/:provider',
    tag: 'credentials',
    summary: 'Save a key: it is encrypted and never returned',
    access: partnerOrClientWrite,
    params,
    body: z
      .object({
        clientId: id.optional(),
        sourceMode: z.enum(SOURCE_MODES).describe('`platform`: for language models, and not from a user of a client.'),
        data: z.record(z.string(), json).optional(),
        onlyIfAccepted: z.boolean().optional(),
      })
      .meta({
        description:
          '`onlyIfAccepted`: the key is checked first; while a key works that it would replace, one that is refused is `key_refused` and nothing changes. ' +
          `\`platform\` and another key replace a stored key of your own for good, which needs a login of the last ${LIMITS.recentLoginMinutes} minutes. ` +
          'Of a SQL database, `data.ssl` is `true` (TLS, the certificate is verified; the default), `{ "ca": "…" }` (verified against this CA certificate in PEM), `{ "verify": false }` (TLS with any certificate: someone on the network can pretend to be the database) or `false` (no TLS).',
        examples: [{ sourceMode: 'byok', data: { accountSid: 'AC0123456789', authToken: 'the token' } }],
      }),
    reply: { 200: credentialSummary },
    errors: [
      'not_found',
      'validation_failed',
      'plan_feature_required',
      'stale_record',
      'source_mode_not_allowed',
      'not_a_stored_credential',
      'private_address',
      'key_refused',
      'reauthentication_required',
    ],
    audit: 'credential.saved',
  }),
  listCredentials: defineRoute({
    method: 'GET',
    path: '/credentials',
    tag: 'credentials',
    summary: 'List summaries of stored keys, never their values',
    access: anyone,
    query: z.object({ clientId: id.optional(), partnerId: id.optional() }),
    reply: { 200: z.array(credentialSummary) },
    errors: ['not_found', 'scope_forbidden', 'invalid_query'],
  }),
  deleteCredential: defineRoute({
    method: 'DELETE',
    path: '/credentials/:provider',
    tag: 'credentials',
    summary: 'Remove a key',
    access: partnerOrClientWrite,
    needsRecentLogin: true,
    params,
    query: scope,
    reply: { 204: nothing },
    errors: ['not_found', 'not_a_stored_credential', 'invalid_query'],
    audit: 'credential.deleted',
  }),
  testCredential: defineRoute({
    method: 'POST',
    path: '/credentials/:provider/test',
    tag: 'credentials',
    summary: 'Test a key with one harmless call to the service',
    access: partnerOrClientWrite,
    params,
    query: scope,
    reply: {
      200: z.object({
        ok: z.boolean().nullable().describe('Null when the service gave no answer about the key; the last one stays then'),
        checkedAt: time,
        message: z.string(),
      }),
    },
    errors: ['not_found', 'not_a_stored_credential', 'invalid_query'],
    audit: 'credential.tested',
  }),
  listRequirements: defineRoute({
    method: 'GET',
    path: '/credentials/requirements',
    tag: 'credentials',
    summary:
      'List which agents need which provider, and whether it is there. At most 250 agents: those with a missing or failing key, then the newest',
    access: anyone,
    query: z.object({ clientId: id.optional(), partnerId: id.optional() }),
    reply: { 200: z.array(requirement) },
    errors: ['not_found', 'scope_forbidden', 'invalid_query'],
  }),
  countRequirements: defineRoute({
    method: 'GET',
    path: '/credentials/requirements/counts',
    tag: 'credentials',
    summary: 'Count the agents that need each provider, and the owners whose key is missing or failing',
    access: anyone,
    query: z.object({ clientId: id.optional(), partnerId: id.optional() }),
    reply: { 200: requirementCounts },
    errors: ['not_found', 'scope_forbidden', 'invalid_query'],
  }),
};
