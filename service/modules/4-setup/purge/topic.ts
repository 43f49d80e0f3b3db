import { z } from 'zod';
import { defineTopic } from '#platform/notify.ts';

/** A purge began, proceeded or ended; for streams. */
export const purgeChanged = defineTopic('purges', z.object({ deletionRequestId: z.uuid() }));
