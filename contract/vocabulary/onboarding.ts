/** The first steps of an agency, in their order. */
export const ONBOARDING_KEYS = ['client', 'key', 'agent', 'sample', 'event', 'team', 'webhook'] as const;
export type OnboardingKey = (typeof ONBOARDING_KEYS)[number];

/** Actions that an agency can take on its sample run. */
export const SAMPLE_STATES = [
  'no_client',
  'not_requested',
  'suggested',
  'submitted',
  'available',
  'installing',
  'failed',
  'paused',
  'ready',
] as const;
export type SampleState = (typeof SAMPLE_STATES)[number];
