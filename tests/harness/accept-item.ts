import type { AcceptItem } from '@partner-portal/service/modules/3-product/executions/accept/store-accept.ts';
import { newId } from '@partner-portal/service/platform/ids.ts';

/** An event that nothing speaks against, as the store accepts it. */
export function acceptItem(workflowId: string, over: Partial<AcceptItem> = {}): AcceptItem {
  return {
    executionId: newId(),
    workflowId,
    source: 'ingest',
    input: '{}',
    inputBytes: 2,
    summary: 'Running',
    overRate: false,
    bodyProblem: null,
    keyHash: null,
    senderAddress: null,
    preview: null,
    rerunOf: null,
    scopePartner: null,
    scopeClient: null,
    timeoutMinutes: 30,
    latestVersion: 1,
    contact: null,
    texts: false,
    audit: null,
    bodyHash: null,
    textedNumber: null,
    asked: null,
    repeatRemark: null,
    understood: null,
    remarks: null,
    basis: null,
    endedPlan: null,
    ...over,
  };
}
