import { z } from 'zod';
import { defineTopic } from '#platform/notify.ts';

/** Users whose notifications were created or read. */
export const notificationsChanged = defineTopic('notifications', z.object({ userIds: z.array(z.uuid()) }));
