import type { InstanceStatus, Provider } from '@partner-portal/contract/vocabulary.ts';
import type { ActingStaff } from '#modules/2-tenancy/identity/index.ts';

/** Interval at which a waiting request checks whether the partner's instance is free. */
export const WAIT_MS = 5_000;
/** The same for a request of a suspended agency, whose resumption queues it at once. */
export const SUSPENDED_WAIT_MS = 600_000;
/** One installation started by this process. */
export type Installation = {
  id: string;
  run: number;
  partnerId: string;
  clientId: string;
  templateName: string;
  /** Null: the client was archived since the approval. */
  workflowId: string | null;
  instance: InstanceStatus;
  /** Credentials missing at its start. */
  missing: Provider[];
  /** Staff user who approved or retried it; undefined when they may not act any more. */
  approver: ActingStaff | undefined;
};
