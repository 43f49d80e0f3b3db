import { z } from 'zod';
import { defineTopic } from '#platform/notify.ts';

/** Whose notifications changed: somebody was told something, or has read it. */
export const notificationsChanged = defineTopic('notifications', z.object({ userIds: z.array(z.uuid()) }));
