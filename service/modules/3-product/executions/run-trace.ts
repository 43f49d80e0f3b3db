import { contextOfRun } from '@partner-portal/core/tracing/trace-context.ts';
import type { RequestContext } from '#platform/http/context.ts';
import type { Attributes } from '#platform/tracing/tracer.ts';

/** What each span of a run says about it: ids, and the name of its template. */
export function runAttributes(run: {
  executionId: string;
  workflowId: string;
  partnerId?: string | null;
  clientId?: string | null;
  templateName?: string | null | undefined;
}): Attributes {
  return {
    'portal.run.id': run.executionId,
    'portal.agent.id': run.workflowId,
    'portal.agency.id': run.partnerId,
    'portal.client.id': run.clientId,
    'portal.template.name': run.templateName,
  };
}

/** Names the trace of a run in the log line of the request that started or reported it. */
export function noteTrace(context: Pick<RequestContext, 'noteTrace'>, executionId: string): void {
  context.noteTrace(contextOfRun(executionId));
}
