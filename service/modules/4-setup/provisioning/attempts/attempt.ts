import type { ImportFlow } from '@partner-portal/core/template/template.ts';
import type { TemplateBundle } from '@partner-portal/core/template/types.ts';
import type { AttemptMode, TenancyMode } from '@partner-portal/contract/vocabulary.ts';
import type { SystemTx } from '#platform/db/tx.ts';
import type { ProvisioningDeps } from '../deps.ts';
import { AttemptOver } from './step-failed.ts';
import { holdRunning } from './store-attempts.ts';
import type { Target } from './store-workflows.ts';

/** One attempt as the runner carries it through its steps. */
export type Attempt = {
  id: string;
  number: number;
  partnerId: string;
  mode: AttemptMode;
  clientId: string | null;
  /** The agents it installs; a deprovision installs none. */
  workflowIds: readonly string[];
  /** Whether stored copies are replaced although the catalog holds no newer version. */
  refreshTemplates: boolean;
  requestedBy: string | null;
  /** Whether the instance was claimed when the attempt was made (only a provision claims it by a step). */
  claimed: boolean;
  /** The engine project that was recorded before; written anew by `ensure_tenant`. */
  projectId: string | null;
  /** The tenancy that was recorded before: what a teardown finds was made under it. */
  tenancyMode: TenancyMode;
};

/** One agent with the template it is installed from and the flow this makes. */
export type Install = { target: Target; bundle: TemplateBundle; flow: ImportFlow; flowId: string };

/** One flow of the agency in the engine, about to be removed. */
export type OwnFlow = { workflowId: string; flowId: string; isOn: boolean };

/** What steps hand on to later ones. Nothing in it outlives the attempt: a retry finds everything again. */
export type StepContext = {
  readonly deps: ProvisioningDeps;
  readonly attempt: Attempt;
  claimed: boolean;
  projectId: string | null;
  installs: Install[] | null;
  ownFlows: OwnFlow[] | null;
};

/**
 * Asked between two calls to the engine, alone or in the transaction that follows one: an attempt that somebody else ended (the
 * reaper) stops there, whatever it was about to do.
 */
export async function demandRunning(tx: SystemTx, { attempt }: StepContext): Promise<void> {
  if (!(await holdRunning(tx, attempt.id))) throw new AttemptOver();
}

export type StepOutcome = {
  /** A few words for staff, for example "Healthy in 38 ms". */
  summary: string;
  warnings?: readonly string[];
  metadata?: { [key: string]: unknown };
  /** Committed together with the end of the step. Throws when the instance is no longer held. */
  write?: (tx: SystemTx) => Promise<void>;
};

/** A step acts, outside any transaction, in a way that may be repeated; it throws to fail the attempt. */
export type Step = (context: StepContext) => Promise<StepOutcome>;
