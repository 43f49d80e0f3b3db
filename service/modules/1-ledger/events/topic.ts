import { z } from 'zod';
import { defineTopic } from '#platform/notify.ts';

/** Events are due. */
export const eventsWait = defineTopic('events', z.object({}));
