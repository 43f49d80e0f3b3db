import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { engineIdSchema, flowCreateSchema, flowOperationSchema } from '../protocol.ts';
import { limitParam, listParam, parsePart } from '../server.ts';
import type { FlowStore } from '../store/flows.ts';
import type { ProjectStore } from '../store/projects.ts';

const idParams = z.object({ id: engineIdSchema });
const listQuery = z.object({
  projectId: z.string(),
  name: z.string().optional(),
  status: listParam,
  externalIds: listParam,
  connectionExternalIds: listParam,
  versionState: z.enum(['LOCKED', 'DRAFT']).optional(),
  limit: limitParam(10),
  cursor: z.string().optional(),
});
const pageQuery = z.object({ limit: limitParam(10), cursor: z.string().optional() });

export function addFlowRoutes(
  app: FastifyInstance,
  deps: {
    flows: FlowStore;
    projects: ProjectStore;
    owner: Record<string, unknown>;
    onChange: (flowId: string) => void;
    onRemove: (flowId: string) => void;
  },
): void {
  const { flows, projects } = deps;
  app.post('/api/v1/flows', async (request, reply) => {
    const input = parsePart(flowCreateSchema, 'body', request.body);
    await projects.get(input.projectId);
    return reply.code(201).send(await flows.create(input));
  });
  app.get('/api/v1/flows', async (request) => {
    const { versionState, ...filter } = parsePart(listQuery, 'querystring', request.query);
    await projects.get(filter.projectId);
    return flows.list({ ...filter, lockedOnly: versionState === 'LOCKED' });
  });
  app.get('/api/v1/flows/:id', (request) => {
    const { id } = parsePart(idParams, 'params', request.params);
    const { versionId } = parsePart(z.object({ versionId: engineIdSchema.optional() }), 'querystring', request.query);
    return flows.get(id, versionId);
  });
  app.get('/api/v1/flows/:id/versions', (request) => {
    const { id } = parsePart(idParams, 'params', request.params);
    const { limit, cursor } = parsePart(pageQuery, 'querystring', request.query);
    return flows.versions(id, limit, cursor, { ...deps.owner, lastActiveDate: null, imageUrl: null });
  });
  app.post('/api/v1/flows/:id', async (request) => {
    const { id } = parsePart(idParams, 'params', request.params);
    const operation = parsePart(flowOperationSchema, 'body', request.body, true);
    const flow = await flows.operate(id, operation);
    deps.onChange(id);
    return flow;
  });
  app.delete('/api/v1/flows/:id', async (request, reply) => {
    const { id } = parsePart(idParams, 'params', request.params);
    await flows.remove(id);
    deps.onRemove(id);
    return reply.code(204).send();
  });
}
