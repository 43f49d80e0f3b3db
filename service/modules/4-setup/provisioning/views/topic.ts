import { z } from 'zod';
import { defineTopic } from '#platform/notify.ts';

/** A partner's instance or attempt changed; for streams. */
export const provisioningChanged = defineTopic('provisioning', z.object({ partnerId: z.uuid(), attemptId: z.uuid() }));
