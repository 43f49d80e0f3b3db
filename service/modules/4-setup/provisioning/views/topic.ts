import { z } from 'zod';
import { defineTopic } from '#platform/notify.ts';

/** Something about an agency's installation changed: a hint to look again. */
export const provisioningChanged = defineTopic('provisioning', z.object({ partnerId: z.uuid(), attemptId: z.uuid() }));
