import { z } from 'zod';
import { defineTopic } from '#platform/notify.ts';

/** Events are due. SQL functions that write events notify the same topic. */
export const eventsWait = defineTopic('events', z.object({}));
