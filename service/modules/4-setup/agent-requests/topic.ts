import { z } from 'zod';
import { defineTopic } from '#platform/notify.ts';

/** A request changed; for streams. Published by the trigger `agent_request_notify`. */
export const requestsChanged = defineTopic('agent_requests', z.object({ partnerId: z.uuid(), id: z.uuid() }));
