import type { InstanceStatus, Provider } from '@partner-portal/contract/vocabulary.ts';
import type { ActingStaff } from '#platform/acting-staff.ts';

/** How soon a request looks again whether the agency's instance is free. The attempt that holds it may have been staff's own. */
export const WAIT_MS = 5_000;
/** One installation that this process has begun. */
export type Begun = {
  id: string;
  run: number;
  partnerId: string;
  clientId: string;
  templateName: string;
  workflowId: string;
  instance: InstanceStatus;
  /** Keys that were missing when it began. */
  missing: Provider[];
  /** Whoever approved it, or asked for the retry; undefined when they may not act any more. */
  approver: ActingStaff | undefined;
};
