import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { FrameworkError, invalidRequest } from '../errors.ts';
import { findPiece } from '../pieces.ts';
import { connectionUpsertSchema, connectionValueSchemas, engineIdSchema } from '../protocol.ts';
import type { ConnectionUpsert, ConnectionValue } from '../protocol.ts';
import { limitParam, parsePart } from '../server.ts';
import type { ConnectionStore } from '../store/connections.ts';
import type { ProjectStore } from '../store/projects.ts';

const listQuery = z.object({
  projectId: z.string(),
  displayName: z.string().optional(),
  pieceName: z.string().optional(),
  status: z.string().optional(),
  limit: limitParam(10),
  cursor: z.string().optional(),
});
const idParams = z.object({ id: engineIdSchema });

/** The value to store; its shape is that of the declared type. Throws 400. */
function valueOf(upsert: ConnectionUpsert): ConnectionValue {
  if (upsert.type === 'PLACEHOLDER') return { type: 'NO_AUTH' };
  if (upsert.value?.type !== upsert.type) throw invalidRequest('body/ Invalid input');
  const schema: z.ZodType<ConnectionValue> = connectionValueSchemas[upsert.type];
  const parsed = schema.safeParse(upsert.value);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw invalidRequest(`body/value/${issue?.path.join('/') ?? ''} ${issue?.message ?? 'Invalid input'}`);
}

/** OAuth2 is outside the subset; the recorded engine answers 500 for it under a piece without auth. */
function refuseOauth(body: unknown): void {
  const type = z.looseObject({ type: z.string() }).safeParse(body);
  if (type.success && type.data.type.endsWith('OAUTH2')) throw new FrameworkError(500, 'auth is null or undefined');
}

export function addConnectionRoutes(
  app: FastifyInstance,
  deps: { connections: ConnectionStore; projects: ProjectStore; onChange: (projectId: string, externalId: string) => void },
): void {
  const { connections, projects } = deps;
  app.post('/api/v1/app-connections', async (request, reply) => {
    refuseOauth(request.body);
    const upsert = parsePart(connectionUpsertSchema, 'body', request.body);
    const value = valueOf(upsert);
    await projects.get(upsert.projectId);
    const piece = findPiece(upsert.pieceName, upsert.pieceVersion);
    const stored = await connections.upsert({
      projectId: upsert.projectId,
      externalId: upsert.externalId,
      displayName: upsert.displayName,
      value,
      status: upsert.type === 'PLACEHOLDER' ? 'MISSING' : 'ACTIVE',
      pieceName: piece.name,
      pieceVersion: piece.version,
      metadata: upsert.metadata ?? undefined,
    });
    deps.onChange(upsert.projectId, upsert.externalId);
    return reply.code(201).send(stored);
  });
  app.get('/api/v1/app-connections', async (request) => {
    const filter = parsePart(listQuery, 'querystring', request.query);
    await projects.get(filter.projectId);
    return connections.list(filter);
  });
  app.post('/api/v1/app-connections/:id', async (request) => {
    const { id } = parsePart(idParams, 'params', request.params);
    const { displayName } = parsePart(z.object({ displayName: z.string() }), 'body', request.body);
    return connections.rename(id, displayName);
  });
  app.delete('/api/v1/app-connections/:id', async (request, reply) => {
    const gone = await connections.remove(parsePart(idParams, 'params', request.params).id);
    deps.onChange(gone.projectId, gone.externalId);
    return reply.code(204).send();
  });
}
