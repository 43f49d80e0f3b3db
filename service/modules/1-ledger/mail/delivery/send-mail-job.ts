import { z } from 'zod';
import { defineJob } from '#platform/jobs/define-job.ts';

/** Wakes the sender when this mail is due; it sends whatever is due. One queue: a slow mail server holds one worker, not all. */
export const sendMailJob = defineJob('mail.send', z.object({ mailId: z.uuid() }), { attemptsMax: 3, queue: 'mail' });
