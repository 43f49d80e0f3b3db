import { ERRORS } from '@partner-portal/contract/errors.ts';
import { LIMITS } from '@partner-portal/contract/vocabulary.ts';
import type { Json } from '@partner-portal/core/template/types.ts';
import { answer } from '#platform/http/answer.ts';
import { defineHandlers, type RequestContext } from '#platform/http/context.ts';
import { CSV_PAGE, csvOfList } from '#platform/http/csv-list.ts';
import type { EventOutcome, Ingest } from './accept/ingest.ts';
import { exportExecutions, listExecutions, listFailureCauses, type ListDeps } from './read/list-executions.ts';
import { readExecution, type ReadDeps } from './read/read-execution.ts';
import { INBOUND_COLUMNS, listInboundEvents, readWorkflowCounts, readWorkflowStats } from './read/read-workflow-executions.ts';
import { reportExecution, type ReportDeps } from './report/report.ts';
import { noteTrace } from './run-trace.ts';
import { rerunExecution, type RerunDeps } from './rerun/rerun-execution.ts';
import { listReruns, rerunFailed } from './rerun/rerun-failed.ts';
import type { PortionDeps } from './rerun/rerun-portion.ts';
import { streamExecutions, type StreamDeps } from './read/stream-executions.ts';
import { readIdempotencyKey } from '#platform/http/idempotency.ts';
import { limitHeaders } from '#platform/http/rate-limit.ts';
import { type TriggerDeps, triggerWorkflow } from './accept/trigger.ts';

export type RouteDeps = ListDeps & ReadDeps & ReportDeps & RerunDeps & PortionDeps & StreamDeps & { ingest: Ingest };

/** The declared size of a body; the largest that one may have when it has none. */
function sizeOf(context: Pick<RequestContext, 'header'>): number {
  return Number(context.header('content-length') ?? LIMITS.bodyBytesMax);
}

/** The reply to a list: how many of its events were accepted, and what became of each. */
function ofList(outcomes: readonly EventOutcome[]) {
  const results = outcomes.map((outcome) => {
    if ('executionId' in outcome) return { accepted: true as const, executionId: outcome.executionId };
    const { code, status, extras } = outcome.refusal;
    const { title } = ERRORS[code];
    return {
      accepted: false as const,
      error: { code, status, title, detail: extras.detail ?? title, ...(extras.errors ? { errors: [...extras.errors] } : {}) },
    };
  });
  return { accepted: results.filter((one) => one.accepted).length, results };
}

export function executionHandlers(deps: RouteDeps & TriggerDeps) {
  return defineHandlers({
    async ingestEvent({ params, query }, context) {
      const ingested = await deps.ingest({
        workflowId: params.workflowId,
        token: query.token,
        address: context.address,
        idempotencyKey: () => readIdempotencyKey(context),
        header: (name) => context.header(name),
        rawBody: context.rawBody,
      });
      const { rate } = ingested;
      if (deps.tracer && 'executionId' in ingested) noteTrace(context, ingested.executionId);
      return answer(
        202,
        'outcomes' in ingested ? ofList(ingested.outcomes) : { accepted: true as const, executionId: ingested.executionId },
        limitHeaders(rate),
      );
    },
    triggerWorkflow: ({ params, body }, context) =>
      triggerWorkflow(deps, context, params.workflowId, body.input as { [key: string]: Json }, body.isTest ? 'test' : 'trigger'), // parsed as JSON
    async reportExecution({ body }, context) {
      const reported = await reportExecution(deps, context.header('x-callback-token'), body, sizeOf(context));
      if (deps.tracer) noteTrace(context, body.executionId);
      return reported;
    },
    listExecutions: ({ query }, { actor }) => listExecutions(deps, actor, query),
    listFailureCauses: ({ query }, { actor, now }) => listFailureCauses(deps, actor, query, now),
    exportExecutions: ({ query }, { actor, now }) => exportExecutions(deps, actor, query, now),
    exportWorkflowExecutions: ({ params, query }, { actor, now }) =>
      exportExecutions(deps, actor, { ...query, workflowId: params.id }, now),
    exportInboundEvents: ({ params, query }, { actor, now }) =>
      csvOfList({ name: 'inbound-events', now }, INBOUND_COLUMNS, (cursor) =>
        listInboundEvents(deps, actor, params.id, { ...query, limit: CSV_PAGE, cursor }),
      ),
    streamExecutions: ({ query }, { actor }) => streamExecutions(deps, actor, query),
    getExecution: ({ params }, { actor }) => readExecution(deps, actor, params.id),
    rerunExecution: ({ params, body }, context) =>
      rerunExecution(deps, context, params.id, {
        input: body?.input as { [key: string]: Json } | undefined, // parsed as JSON
        unlessRerun: body?.unlessRerun,
      }),
    listReruns: ({ query }, { actor }) => listReruns(deps, actor, query),
    rerunFailed: ({ body }, context) => rerunFailed(deps, context, body),
    listWorkflowExecutions: ({ params, query }, { actor }) => listExecutions(deps, actor, { ...query, workflowId: params.id }),
    getWorkflowCounts: ({ params }, { actor }) => readWorkflowCounts(deps, actor, params.id),
    getWorkflowStats: ({ params, query }, { actor }) => readWorkflowStats(deps, actor, params.id, query.range),
    listInboundEvents: ({ params, query }, { actor }) => listInboundEvents(deps, actor, params.id, query),
  });
}
