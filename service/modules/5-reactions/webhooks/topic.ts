import { z } from 'zod';
import { defineTopic } from '#platform/notify.ts';

/** Deliveries are due; wakes the sender. */
export const deliveriesDue = defineTopic('deliveries', z.object({}));

/** Deliveries of these endpoints changed; for streams. Published by the SQL functions that write them. */
export const deliveriesChanged = defineTopic(
  'deliveries_changed',
  z.object({ endpoints: z.array(z.object({ partnerId: z.uuid(), endpointId: z.uuid() })) }),
);
