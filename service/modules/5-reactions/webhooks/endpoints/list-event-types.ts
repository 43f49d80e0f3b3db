import { EVENT_SAMPLES } from '@partner-portal/contract/event-samples.ts';
import { EVENT_DATA } from '@partner-portal/contract/events.ts';
import { EVENT_TYPES } from '@partner-portal/contract/vocabulary.ts';
import { z } from 'zod';
import { SNIPPETS, TOLERANCE_SECONDS } from './verification-snippets.ts';

const SAMPLE_ID = 'evt_01K6SV85ZG79A9VR5WZ2DTCWP5';
const SAMPLE_TIME = '2026-01-05T09:12:44.102Z';

/** Built once: it is the same for every caller. */
const CATALOGUE = {
  types: EVENT_TYPES.map((type) => ({
    type,
    when: EVENT_SAMPLES[type].when,
    sample: { id: SAMPLE_ID, type, createdAt: SAMPLE_TIME, data: z.record(z.string(), z.json()).parse(EVENT_SAMPLES[type].data) },
    dataSchema: z.record(z.string(), z.json()).parse(z.toJSONSchema(EVENT_DATA[type])),
  })),
  verification: {
    signatureHeader: 'X-Service-Signature',
    eventHeader: 'X-Service-Event',
    toleranceSeconds: TOLERANCE_SECONDS,
    snippets: SNIPPETS.map((snippet) => ({ ...snippet })),
  },
};

/** Every event type with a sample and its schema, and snippets that verify a signature. */
export function listEventTypes() {
  return CATALOGUE;
}
