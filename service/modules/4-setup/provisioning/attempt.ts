import type { ImportFlow } from '@partner-portal/core/template/template.ts';
import type { TemplateBundle } from '@partner-portal/core/template/types.ts';
import type { AttemptMode, TenancyMode } from '@partner-portal/contract/vocabulary.ts';
import type { EngineFlow } from '#adapters/engine-client.ts';
import type { SystemTx } from '#platform/db/tx.ts';
import type { ProvisioningDeps } from './deps.ts';
import { AttemptOver } from './step-failed.ts';
import { holdRunning } from './store-attempts.ts';
import type { Target } from './store-workflows.ts';

/** One attempt as the runner passes it to its steps. */
export type Attempt = {
  id: string;
  number: number;
  partnerId: string;
  mode: AttemptMode;
  clientId: string | null;
  /** The agents it installs; a deprovision installs none. */
  workflowIds: readonly string[];
  /** Whether stored copies are replaced even without a newer catalog version. */
  refreshTemplates: boolean;
  requestedBy: string | null;
  /** Whether the instance was claimed at creation; only a provision claims it in a step. */
  claimed: boolean;
  /** The engine project recorded before; rewritten by `ensure_tenant`. */
  projectId: string | null;
  /** The tenancy mode recorded before, under which existing things were created. */
  tenancyMode: TenancyMode;
};

/** One agent with its template and the resulting flow; `unchanged` is the flow as the engine has it, when it was found to match. */
export type Install = { target: Target; bundle: TemplateBundle; flow: ImportFlow; flowId: string; unchanged?: EngineFlow };

/** One flow of the partner in the engine, to be removed. */
export type OwnFlow = { workflowId: string; flowId: string; isOn: boolean };

/** State passed between steps. Nothing outlives the attempt: a retry reads everything again. */
export type StepContext = {
  readonly deps: ProvisioningDeps;
  readonly attempt: Attempt;
  /** The service stops. */
  readonly signal: AbortSignal;
  claimed: boolean;
  projectId: string | null;
  installs: Install[] | null;
  ownFlows: OwnFlow[] | null;
};

/**
 * Throws when the attempt was ended by another process (timeout). Called between engine calls and in the transaction that follows one.
 */
export async function demandRunning(tx: SystemTx, { attempt }: StepContext): Promise<void> {
  if (!(await holdRunning(tx, attempt.id))) throw new AttemptOver();
}

export type StepOutcome = {
  /** Short summary for staff, for example "Healthy in 38 ms". */
  summary: string;
  warnings?: readonly string[];
  metadata?: { [key: string]: unknown };
  /** Runs in the transaction that ends the step. Throws when the instance is no longer held. */
  write?: (tx: SystemTx) => Promise<void>;
};

/** A step acts outside transactions and is idempotent; it throws to fail the attempt. */
export type Step = (context: StepContext) => Promise<StepOutcome>;
