import { z } from 'zod';
import { defineTopic } from '#platform/notify.ts';

/** A partner's instance or attempt changed; for streams. */
export const provisioningChanged = defineTopic(
  'provisioning',
  z.object({
    partnerId: z.uuid(),
    /** Null when no attempt caused it: flows were compared with their templates. */
    attemptId: z.uuid().nullable(),
    // Notices of a worker that an update has not replaced yet lack these two.
    /** The client whose agents it installs; null for those of the whole agency. */
    clientId: z.uuid().nullable().default(null),
    /** Steps are for those who follow the setup; the beginning, the end and a comparison for every open page. */
    what: z.enum(['begun', 'step', 'ended', 'compared']).default('step'),
  }),
);
