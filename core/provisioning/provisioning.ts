import type { AttemptMode, StageKey, StepStatus } from '@partner-portal/contract/vocabulary.ts';

/**
 * The steps of each provisioning mode, and how they map to the four stages that partners see. Browser-safe.
 * See docs/behaviour/provisioning.md.
 */

export const PROVISION_STEPS = [
  'feature_gate',
  'partner_lookup',
  'claim_instance',
  'resolve_endpoint',
  'verify_connectivity',
  'ensure_tenant',
  'resolve_credentials',
  'bind_credentials',
  'import_flows',
  'verify_flows',
  'enable_flows',
  'mark_ready',
] as const;

export const REPAIR_STEPS = [
  'feature_gate',
  'resolve_credentials',
  'bind_credentials',
  'update_flows',
  'verify_flows',
  'enable_flows',
] as const;

/** Deletes only what belongs to the partner; the engine project last (a no-op in shared tenancy). */
export const TEARDOWN_STEPS = ['disable_flows', 'delete_flows', 'delete_connections', 'delete_tenant'] as const;

export type StepName = (typeof PROVISION_STEPS)[number] | (typeof REPAIR_STEPS)[number] | (typeof TEARDOWN_STEPS)[number];

/** The steps of each mode, in order. */
export const STEP_LISTS = {
  provision: PROVISION_STEPS,
  repair: REPAIR_STEPS,
  recreate: [...TEARDOWN_STEPS, ...PROVISION_STEPS],
  deprovision: TEARDOWN_STEPS,
} as const satisfies { [mode in AttemptMode]: readonly StepName[] };

const STAGE_OF: { readonly [name in StepName]: StageKey } = {
  feature_gate: 'preparing',
  partner_lookup: 'preparing',
  claim_instance: 'preparing',
  disable_flows: 'preparing',
  delete_flows: 'preparing',
  delete_connections: 'preparing',
  delete_tenant: 'preparing',
  resolve_endpoint: 'connecting',
  verify_connectivity: 'connecting',
  ensure_tenant: 'connecting',
  resolve_credentials: 'configuring_access',
  bind_credentials: 'configuring_access',
  import_flows: 'installing_workflows',
  update_flows: 'installing_workflows',
  verify_flows: 'installing_workflows',
  enable_flows: 'installing_workflows',
  mark_ready: 'installing_workflows',
};

/** The stages in order. */
export const STAGES: readonly { key: StageKey; label: string }[] = [
  { key: 'preparing', label: 'Preparing' },
  { key: 'connecting', label: 'Connecting to your automation platform' },
  { key: 'configuring_access', label: 'Configuring access' },
  { key: 'installing_workflows', label: 'Installing workflows' },
];

export function stageOf(step: StepName): StageKey {
  return STAGE_OF[step];
}

/** The members of a step that its stage is computed from. Times are ISO 8601 texts, so they sort by time. */
export type StepProgress = { stage: StageKey; status: StepStatus; startedAt: string | null; finishedAt: string | null };

export type Stage = {
  key: StageKey;
  label: string;
  status: StepStatus;
  startedAt: string | null;
  finishedAt: string | null;
  durationMs: number | null;
};

/**
 * Collapses the steps of one attempt into four stages. A stage failed if any of its steps failed; it is running from its first started
 * step until its last one ends; it is skipped when this attempt has none of its steps or none was reached.
 */
export function collapseStages(steps: readonly StepProgress[]): Stage[] {
  return STAGES.map(({ key, label }) => {
    const own = steps.filter((step) => step.stage === key);
    const status = stageStatus(
      own.map((step) => step.status),
      steps.length > 0,
    );
    const startedAt =
      own
        .map((step) => step.startedAt)
        .filter((at) => at !== null)
        .toSorted()[0] ?? null;
    const ended = status === 'succeeded' || status === 'failed';
    const finishedAt = ended
      ? (own
          .map((step) => step.finishedAt)
          .filter((at) => at !== null)
          .toSorted()
          .at(-1) ?? null)
      : null;
    const durationMs = startedAt !== null && finishedAt !== null ? Date.parse(finishedAt) - Date.parse(startedAt) : null;
    return { key, label, status, startedAt, finishedAt, durationMs };
  });
}

function stageStatus(statuses: readonly StepStatus[], attempted: boolean): StepStatus {
  if (statuses.length === 0) return attempted ? 'skipped' : 'pending';
  if (statuses.includes('failed')) return 'failed';
  if (statuses.includes('running')) return 'running';
  const done = statuses.filter((status) => status === 'succeeded').length;
  const waiting = statuses.filter((status) => status === 'pending').length;
  if (waiting === 0) return done > 0 ? 'succeeded' : 'skipped';
  // Between two steps none is running, but the stage is.
  return done > 0 ? 'running' : 'pending';
}

/** Public error of an attempt that timed out. */
export const TIMED_OUT_TEXT = 'Setup stopped because it took too long. Please try again.';

/**
 * Why a step failed. `internal` may name hosts, projects and responses of the engine and is for staff; `public` may not, and is the
 * only one in the redacted view.
 */
export type StepFailure = { readonly internal: string; readonly public: string };
