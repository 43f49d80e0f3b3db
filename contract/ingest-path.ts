/** Path at which an agent takes events. */
export const INGEST_PATH = '/webhooks/agents/:workflowId';

/** The path of one agent. */
export function ingestPath(workflowId: string): string {
  return INGEST_PATH.replace(':workflowId', workflowId);
}
