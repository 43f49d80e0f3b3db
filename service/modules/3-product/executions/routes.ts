import { LIMITS } from '@partner-portal/contract/vocabulary.ts';
import type { Json } from '@partner-portal/core/template/types.ts';
import type { Clock } from '#platform/clock.ts';
import { answer } from '#platform/http/answer.ts';
import { defineHandlers, type RequestContext } from '#platform/http/context.ts';
import { CSV_PAGE, csvOfList } from '#platform/http/csv-list.ts';
import { createKeptAnswers } from '#platform/kept-answers.ts';
import type { Ingest } from './accept/ingest.ts';
import { exportExecutions, hasManyFailures, listExecutions, listFailureCauses, type ListDeps } from './read/list-executions.ts';
import { readExecution, type ReadDeps } from './read/read-execution.ts';
import { INBOUND_COLUMNS, listInboundEvents, readWorkflowCounts, readWorkflowStats } from './read/read-workflow-executions.ts';
import { reportExecution, type ReportDeps } from './report/report.ts';
import { rerunExecution, type RerunDeps } from './rerun/rerun-execution.ts';
import { listReruns, rerunFailed } from './rerun/rerun-failed.ts';
import type { PortionDeps } from './rerun/rerun-portion.ts';
import { streamExecutions, type StreamDeps } from './read/stream-executions.ts';
import { readIdempotencyKey } from '#platform/http/idempotency.ts';
import { type TriggerDeps, triggerWorkflow } from './accept/trigger.ts';

export type RouteDeps = ListDeps & ReadDeps & ReportDeps & RerunDeps & PortionDeps & StreamDeps & { ingest: Ingest };

/** The declared size of a body; the largest that one may have when it has none. */
function sizeOf(context: Pick<RequestContext, 'header'>): number {
  return Number(context.header('content-length') ?? LIMITS.bodyBytesMax);
}

export function executionHandlers(deps: RouteDeps & TriggerDeps & { clock: Clock }) {
  const keepCauses = createKeptAnswers(deps.clock, hasManyFailures);
  return defineHandlers({
    async ingestEvent({ params, query }, context) {
      const { executionId, rate } = await deps.ingest({
        workflowId: params.workflowId,
        token: query.token,
        address: context.address,
        idempotencyKey: () => readIdempotencyKey(context),
        rawBody: context.rawBody,
      });
      return answer(
        202,
        { accepted: true as const, executionId },
        {
          'ratelimit-limit': String(rate.limit),
          'ratelimit-remaining': String(rate.remaining),
          'ratelimit-reset': String(rate.resetSeconds),
        },
      );
    },
    triggerWorkflow: ({ params, body }, context) =>
      triggerWorkflow(deps, context, params.workflowId, body.input as { [key: string]: Json }), // parsed as JSON
    reportExecution: ({ body }, context) => reportExecution(deps, context.header('x-callback-token'), body, sizeOf(context)),
    listExecutions: ({ query }, { actor }) => listExecutions(deps, actor, query),
    listFailureCauses: ({ query }, { actor, now }) => listFailureCauses({ ...deps, keepCauses }, actor, query, now),
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
      rerunExecution(deps, context, params.id, body?.input as { [key: string]: Json } | undefined), // parsed as JSON
    listReruns: ({ query }, { actor }) => listReruns(deps, actor, query),
    rerunFailed: ({ body }, context) => rerunFailed(deps, context, body),
    listWorkflowExecutions: ({ params, query }, { actor }) => listExecutions(deps, actor, { ...query, workflowId: params.id }),
    getWorkflowCounts: ({ params }, { actor }) => readWorkflowCounts(deps, actor, params.id),
    getWorkflowStats: ({ params, query }, { actor }) => readWorkflowStats(deps, actor, params.id, query.range),
    listInboundEvents: ({ params, query }, { actor }) => listInboundEvents(deps, actor, params.id, query),
  });
}
