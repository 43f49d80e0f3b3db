import { z } from 'zod';
import { defineJob } from '#platform/jobs/define-job.ts';

/** Mails the notice of a past due payment again whose reader lost access. The trigger `mail_lost_reader` enqueues it with the notice's deduplication key. */
export const lostNoticeJob = defineJob('billing.notice_lost', z.object({ partnerId: z.uuid(), key: z.string() }));
