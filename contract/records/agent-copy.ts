import { z } from 'zod';
import { id } from '../primitives.ts';
import {
  BULK_REQUEST_RESULTS,
  BULK_SWITCH_RESULTS,
  COPIED_FROM,
  COPY_REASONS,
  COPY_TARGET_STATES,
  INSTANCE_STATUSES,
  PROVIDERS,
} from '../vocabulary.ts';

/** A setting of the copy that differs from the source's. `value` is null when it stays empty. */
export const copyDifference = z.object({
  key: z.string(),
  label: z.string(),
  from: z.enum(COPIED_FROM),
  reason: z.enum(COPY_REASONS),
  value: z.json(),
});

/** The copy that one client would get, and what it lacks. */
export const copyTarget = z.object({
  clientId: id,
  clientName: z.string(),
  state: z.enum(COPY_TARGET_STATES),
  missingConnections: z.array(z.enum(PROVIDERS)),
  /** Keys that their provider refuses: the copy is installed, and its runs fail. */
  refusedConnections: z.array(z.enum(PROVIDERS)),
  /** Required settings that would be empty. */
  missingSettings: z.array(z.object({ key: z.string(), label: z.string() })),
  differences: z.array(copyDifference),
  /** The copy is a flow of its own, which staff install after they approve the request. */
  needsInstallation: z.boolean(),
});

export const copyPreview = z
  .object({
    agentId: id,
    title: z.string(),
    creditsPerRun: z.number().int(),
    /** Whether the agency's engine is set up; `unprovisioned` needs a first setup before anything is installed. */
    setupStatus: z.enum(INSTANCE_STATUSES),
    targets: z.array(copyTarget),
  })
  .meta({ id: 'AgentCopyPreview' });

/** The result for each client, in the given order. `requestId` names the request that was made, or the open one. */
export const bulkRequestReply = z
  .object({
    results: z.array(z.object({ clientId: id, clientName: z.string(), result: z.enum(BULK_REQUEST_RESULTS), requestId: id.nullable() })),
  })
  .meta({ id: 'BulkRequestReply' });

/** The result for each agent, in the given order. */
export const bulkSwitchReply = z
  .object({
    results: z.array(z.object({ id, name: z.string().nullable(), result: z.enum(BULK_SWITCH_RESULTS) })),
  })
  .meta({ id: 'BulkSwitchReply' });
