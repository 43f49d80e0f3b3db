import { z } from 'zod';
import { defineTopic } from '#platform/notify.ts';

/** Deliveries are due: for the sender. */
export const deliveriesWait = defineTopic('deliveries', z.object({}));

/** Deliveries of these endpoints were made or moved: for whoever shows them. Sent by the statements that move them. */
export const deliveriesChanged = defineTopic(
  'deliveries_changed',
  z.object({ endpoints: z.array(z.object({ partnerId: z.uuid(), endpointId: z.uuid() })) }),
);
