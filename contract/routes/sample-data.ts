import { z } from 'zod';
import { defineRoute } from '../define-route.ts';
import { partnerWrite } from './access.ts';

/** How many of each were removed. */
const removedSampleData = z.object({ runs: z.number().int(), conversations: z.number().int() }).meta({ id: 'RemovedSampleData' });

export const sampleDataRoutes = {
  removeSampleData: defineRoute({
    method: 'DELETE',
    path: '/partners/me/sample-data',
    tag: 'partners',
    summary: 'Remove the made-up past of the quick start’s agency: its runs, conversations and usage from before the agency was created',
    access: partnerWrite,
    reply: { 200: removedSampleData },
    errors: ['not_found'],
    audit: 'sample_data.removed',
  }),
};
