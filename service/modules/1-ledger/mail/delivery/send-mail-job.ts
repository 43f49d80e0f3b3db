import { z } from 'zod';
import { defineJob } from '#platform/jobs/define-job.ts';

/** Wakes the sender when a mail is due; it sends all due mail. One queue, so a slow mail server holds only one worker. */
export const sendMailJob = defineJob('mail.send', z.object({ mailId: z.uuid() }), { attemptsMax: 3, queue: 'mail' });
