import { z } from 'zod';
import { id, time } from '../primitives.ts';
import {
  ACCOUNT_SCOPES,
  CLIENT_STATUSES,
  DELETION_REQUEST_STATUSES,
  EXPORT_STATUSES,
  PURGE_STATUSES,
  PURGE_STEP_STATUSES,
  PURGE_STEPS,
  REACTIVATION_REQUEST_STATUSES,
  SUSPENSION_CAUSES,
} from '../vocabulary.ts';

/** The person who made or decided a request. Null once the user is removed; agencies and clients see staff without an address. */
const person = z.object({ id: id.nullable(), name: z.string(), email: z.string().nullable() }).nullable();

const account = {
  scope: z.enum(ACCOUNT_SCOPES),
  partnerId: id,
  clientId: id.nullable(),
  /** Name of the agency or client. */
  accountName: z.string(),
  partnerName: z.string(),
};

export const deletionRequestRecord = z
  .object({
    id,
    ...account,
    reason: z.string(),
    status: z.enum(DELETION_REQUEST_STATUSES),
    requestedBy: person,
    decidedBy: person,
    decisionNote: z.string().nullable(),
    /** Time from which everything is removed. */
    purgeAfter: time.nullable(),
    /** Status before the approval, which an approved reactivation restores where it was `archived`; null until then. */
    previousStatus: z.enum(CLIENT_STATUSES).nullable(),
    createdAt: time,
    decidedAt: time.nullable(),
    completedAt: time.nullable(),
  })
  .meta({ id: 'DeletionRequest' });

/** The work that a deletion would stop and the data it would remove now. */
export const deletionPreview = z
  .object({
    ...account,
    clients: z.number().int(),
    /** Installed, switched on and not stopped already: agents of suspended and archived clients are not counted. */
    runningAgents: z.number().int(),
    /** Clients that these agents are of. */
    runningClients: z.number().int(),
    agents: z.number().int(),
    users: z.number().int(),
    webhooks: z.number().int(),
    files: z.number().int(),
    /** When everything would be removed if the request were approved now. */
    purgeAfter: time,
  })
  .meta({ id: 'DeletionPreview' });

export const purgeRecord = z
  .object({
    deletionRequestId: id,
    status: z.enum(PURGE_STATUSES),
    waitingFor: z.enum(['engine']).nullable(),
    startedAt: time,
    finishedAt: time.nullable(),
    steps: z.array(
      z.object({
        name: z.enum(PURGE_STEPS),
        status: z.enum(PURGE_STEP_STATUSES),
        rowsRemoved: z.number().int(),
        tries: z.number().int(),
        /** Why the last try did not finish. */
        problem: z.string().nullable(),
        startedAt: time.nullable(),
        finishedAt: time.nullable(),
      }),
    ),
  })
  .meta({ id: 'Purge' });

export const reactivationRequestRecord = z
  .object({
    id,
    ...account,
    message: z.string(),
    status: z.enum(REACTIVATION_REQUEST_STATUSES),
    requestedBy: person,
    decidedBy: person,
    decisionNote: z.string().nullable(),
    /** Day of the removal that waits for this decision; null when no deletion is approved, and once it is decided. */
    purgeAfter: time.nullable(),
    /** Status that an approval leads to: a client that was archived before its deletion was approved is archived again. Null once it is decided. */
    restores: z.enum(['active', 'archived']).nullable(),
    createdAt: time,
    decidedAt: time.nullable(),
  })
  .meta({ id: 'ReactivationRequest' });

/** Why the account of a session is suspended, or that it is archived, and until when it can come back. */
export const suspensionRecord = z
  .object({
    scope: z.enum(ACCOUNT_SCOPES),
    /** `archived`: a client that its agency archived, which cannot request to be active again. */
    cause: z.enum([...SUSPENSION_CAUSES, 'archived']),
    reason: z.string().nullable(),
    since: time,
    /** Time from which everything is removed; null when no deletion was approved. */
    purgeAfter: time.nullable(),
    /** Whether a reactivation request is waiting for a decision. */
    reactivationPending: z.boolean(),
  })
  .meta({ id: 'Suspension' });

export const exportRecord = z
  .object({
    id,
    ...account,
    status: z.enum(EXPORT_STATUSES),
    percent: z.number().int(),
    requestedBy: person,
    sizeBytes: z.number().int().nullable(),
    /** Why it failed. */
    error: z.string().nullable(),
    createdAt: time,
    finishedAt: time.nullable(),
    /** Until when it can be downloaded. */
    expiresAt: time.nullable(),
  })
  .meta({ id: 'Export' });
