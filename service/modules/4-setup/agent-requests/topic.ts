import { z } from 'zod';
import { defineTopic } from '#platform/notify.ts';

/** A request changed (migration 0076): a hint to look again. */
export const requestsChanged = defineTopic('agent_requests', z.object({ partnerId: z.uuid(), id: z.uuid() }));
