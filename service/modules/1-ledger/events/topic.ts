import { z } from 'zod';
import { defineTopic } from '#platform/notify.ts';

/** Events are due. Functions of the database that write events announce them under the same name (migration 0081). */
export const eventsWait = defineTopic('events', z.object({}));
