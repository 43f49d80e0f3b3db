export const INSTANCE_STATUSES = ['unprovisioned', 'provisioning', 'ready', 'failed', 'deprovisioning'] as const;
export type InstanceStatus = (typeof INSTANCE_STATUSES)[number];

export const TENANCY_MODES = ['shared', 'project'] as const;
export type TenancyMode = (typeof TENANCY_MODES)[number];

export const ATTEMPT_MODES = ['provision', 'repair', 'recreate', 'deprovision'] as const;
export type AttemptMode = (typeof ATTEMPT_MODES)[number];

export const ATTEMPT_STATUSES = ['running', 'succeeded', 'failed', 'timed_out'] as const;
export type AttemptStatus = (typeof ATTEMPT_STATUSES)[number];

/** Result of comparing a flow with its template: equal, deleted, modified, or not readable from the engine. */
export const DRIFT_STATES = ['none', 'missing', 'changed', 'unchecked'] as const;

export const ROLLOUT_STATUSES = ['running', 'paused', 'stopped', 'completed'] as const;
export type RolloutStatus = (typeof ROLLOUT_STATUSES)[number];

export const ROLLOUT_PARTNER_STATUSES = ['pending', 'running', 'succeeded', 'failed', 'skipped'] as const;

export const STEP_STATUSES = ['pending', 'running', 'succeeded', 'failed', 'skipped'] as const;
export type StepStatus = (typeof STEP_STATUSES)[number];

export const STAGE_KEYS = ['preparing', 'connecting', 'configuring_access', 'installing_workflows'] as const;
export type StageKey = (typeof STAGE_KEYS)[number];
