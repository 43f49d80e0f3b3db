import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { notFound } from '../errors.ts';
import type { Intake } from '../intake.ts';
import { timedIdOfKey } from '../ids.ts';
import { type Budgets, createGate, heapOfRun } from '../memory.ts';
import { engineIdSchema, idempotencyKeySchema, retryRequestSchema, runStatuses } from '../protocol.ts';
import { limitParam, listParam, parsePart, whenOver } from '../server.ts';
import type { ProjectStore } from '../store/projects.ts';
import type { RunLog } from '../store/run-log.ts';

const status = z.enum(runStatuses);
const listQuery = z.object({
  projectId: z.string(),
  flowId: listParam,
  status: z.preprocess((value) => (typeof value === 'string' ? [value] : value), z.array(status).optional()),
  createdAfter: z.coerce.date().optional(),
  createdBefore: z.coerce.date().optional(),
  limit: limitParam(10),
  cursor: z.string().optional(),
});
const idParams = z.object({ id: engineIdSchema });
const idOrKeyParams = z.object({ id: z.union([engineIdSchema, idempotencyKeySchema.transform(timedIdOfKey)]) });

export function addRunRoutes(
  app: FastifyInstance,
  deps: { runLog: RunLog; projects: ProjectStore; intake: Intake; budgets: Budgets },
): void {
  const { runLog, projects, intake } = deps;
  /** Whole runs that are being read, one after another when they are large. */
  const reading = createGate(deps.budgets.answers / 2, deps.budgets.answers / 2);
  app.get('/api/v1/flow-runs', async (request) => {
    const { flowId, status: statuses, ...filter } = parsePart(listQuery, 'querystring', request.query);
    await projects.get(filter.projectId);
    return runLog.list({ ...filter, flowIds: flowId, statuses });
  });
  app.get('/api/v1/flow-runs/count-by-status', async (request) => {
    const { projectId } = parsePart(z.object({ projectId: z.string() }), 'querystring', request.query);
    await projects.get(projectId);
    return runLog.countByStatus(projectId);
  });
  app.get('/api/v1/flow-runs/:id', async (request, reply) => {
    const { id } = parsePart(idOrKeyParams, 'params', request.params);
    const gone = new AbortController();
    whenOver(reply, () => gone.abort());
    const leave = await reading.enter('', heapOfRun(await runLog.sizeOf(id)), gone.signal);
    whenOver(reply, leave);
    return runLog.get(id);
  });
  app.post('/api/v1/flow-runs/:id/retry', async (request) => {
    const { id } = parsePart(idParams, 'params', request.params);
    const { strategy, projectId } = parsePart(retryRequestSchema, 'body', request.body);
    await projects.get(projectId);
    const run = await runLog.read(id);
    if (run.project_id !== projectId) throw notFound('flow_run', id);
    if (strategy === 'FROM_FAILED_STEP') {
      await intake.reopen(id);
      const { steps: _steps, ...reply } = await runLog.get(id);
      return reply;
    }
    const fresh = await intake.startAgain(run);
    const { flowVersion: _version, ...reply } = await runLog.get(fresh);
    return { ...reply, steps: {} };
  });
}
