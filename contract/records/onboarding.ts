import { z } from 'zod';
import { id, jsonObject, time } from '../primitives.ts';
import { EXECUTION_STATUSES, ONBOARDING_KEYS, SAMPLE_STATES } from '../vocabulary.ts';

const key = z.enum(ONBOARDING_KEYS);

/** One first step. `doneAt` is null where the data does not keep when it was done. */
export const onboardingItem = z.object({
  key,
  title: z.string(),
  isDone: z.boolean(),
  doneAt: time.nullable(),
  dismissedAt: time.nullable(),
  href: z.string(),
  action: z.string(),
});

/** A run on the agent that needs no key: what it would do, and whether it can be started. */
export const sampleRun = z.object({
  state: z.enum(SAMPLE_STATES),
  templateName: z.string(),
  title: z.string(),
  creditsPerRun: z.number().int(),
  /** The installed agent. */
  agentId: id.nullable(),
  clientName: z.string().nullable(),
  /** The open request for it. */
  requestId: id.nullable(),
  /** A client for whom it can be requested. */
  clientId: id.nullable(),
  /** Whether starting the sample installs the agent first. */
  canInstall: z.boolean(),
  /** The setup that installs the agent now, or that failed to. */
  attemptId: id.nullable(),
  /** Why that setup failed, in words for the agency. */
  errorPublic: z.string().nullable(),
  /** The newest test run of the installed agent. */
  run: z.object({ id, status: z.enum(EXECUTION_STATUSES), startedAt: time, finishedAt: time.nullable() }).nullable(),
  /** The catalog's sample: what goes in, the steps, and what comes out. */
  input: jsonObject,
  steps: z.array(z.object({ name: z.string(), label: z.string() })),
  result: jsonObject,
});

/** Either the run, or the setup after whose success it starts by itself: then the run is the sample's `run`. */
export const sampleStart = z
  .object({ accepted: z.literal(true), executionId: id.nullable(), attemptId: id.nullable() })
  .meta({ id: 'SampleStart' });

export const onboardingProgress = z.object({ done: z.number().int(), total: z.number().int(), nextKey: key.nullable() });

export const onboarding = onboardingProgress
  .extend({
    items: z.array(onboardingItem),
    /** When the whole list was hidden. */
    dismissedAt: time.nullable(),
    /** An agent that is installed, on, and texts the person of its event; null without one. */
    textingAgent: z.object({ id, name: z.string(), clientName: z.string().nullable() }).nullable(),
    /** Null when the catalog has no template without keys. */
    sample: sampleRun.nullable(),
  })
  .meta({ id: 'Onboarding' });

export const partnerOnboarding = onboardingProgress
  .extend({ partnerId: id, nextTitle: z.string().nullable() })
  .meta({ id: 'PartnerOnboarding' });
