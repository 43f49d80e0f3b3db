import { z } from 'zod';
import { defineTopic } from '#platform/notify.ts';

/** An export was requested, went on or ended; for streams. */
export const exportsChanged = defineTopic('account_exports', z.object({ partnerId: z.uuid(), id: z.uuid() }));
