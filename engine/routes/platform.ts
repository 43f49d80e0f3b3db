import type { FastifyInstance } from 'fastify';
import type { Pool } from 'pg';
import { z } from 'zod';
import { notFound } from '../errors.ts';
import { findPiece } from '../pieces.ts';
import { ENGINE_VERSION, engineIdSchema, projectCreateSchema } from '../protocol.ts';
import { limitParam, parsePart } from '../server.ts';
import type { ProjectStore } from '../store/projects.ts';

const projectQuery = z.object({
  displayName: z.string().optional(),
  externalId: z.string().optional(),
  limit: limitParam(50),
  cursor: z.string().optional(),
});
const idParams = z.object({ id: engineIdSchema });

/** Routes without a token: health, what is held, flags, pieces. */
export function addPublicRoutes(app: FastifyInstance, pool: Pool, codeStepsHeld: () => number, publicUrl: () => string): void {
  // The recorded engine has no such route.
  app.get('/api/v1/held', async () => ({ codeSteps: codeStepsHeld() }));
  app.get('/api/v1/health', async (_request, reply) => {
    const isUp = await pool.query('select 1').then(
      () => true,
      () => false,
    );
    return reply.code(isUp ? 200 : 503).send({ status: isUp ? 'Healthy' : 'Unhealthy' });
  });
  app.get('/api/v1/flags', async () => ({
    USER_CREATED: true,
    ENVIRONMENT: 'prod',
    EXECUTION_DATA_RETENTION_DAYS: 30,
    EDITION: 'ce',
    TELEMETRY_ENABLED: false,
    PUBLIC_URL: `${publicUrl()}/`,
    FLOW_RUN_TIME_SECONDS: 600,
    WEBHOOK_TIMEOUT_SECONDS: 30,
    CURRENT_VERSION: ENGINE_VERSION,
    LATEST_VERSION: '0.0.0',
    ALLOW_NPM_PACKAGES_IN_CODE_STEP: false,
    MAX_FILE_SIZE_MB: 25,
    WEBHOOK_URL_PREFIX: `${publicUrl()}/api/v1/webhooks`,
  }));
  app.get('/api/v1/pieces/*', async (request) => {
    const { '*': name } = parsePart(z.object({ '*': z.string() }), 'params', request.params);
    const { version } = parsePart(z.object({ version: z.string().optional() }), 'querystring', request.query);
    const piece = findPiece(decodeURIComponent(name), version);
    return { ...piece, pieceType: 'OFFICIAL', packageType: 'REGISTRY' };
  });
}

/** The one user and the projects, behind the token check. */
export function addProjectRoutes(app: FastifyInstance, projects: ProjectStore, user: { id: string } & Record<string, unknown>): void {
  // There is no `/users/me`: "me" is read as an id and refused as one.
  app.get('/api/v1/users/:id', async (request) => {
    const { id } = parsePart(idParams, 'params', request.params);
    if (id !== user.id) throw notFound('user', id);
    return user;
  });
  app.get('/api/v1/projects', (request) => projects.list(parsePart(projectQuery, 'querystring', request.query)));
  app.get('/api/v1/projects/:id', async (request) => ({
    ...(await projects.get(parsePart(idParams, 'params', request.params).id)),
    deleted: null,
  }));
  app.post('/api/v1/projects', async (request, reply) =>
    reply.code(201).send(await projects.create(parsePart(projectCreateSchema, 'body', request.body))),
  );
  app.post('/api/v1/projects/:id', async (request) => {
    const { id } = parsePart(idParams, 'params', request.params);
    const { displayName } = parsePart(z.object({ displayName: z.string().optional() }), 'body', request.body);
    return projects.rename(id, displayName);
  });
  app.delete('/api/v1/projects/:id', async (request, reply) => {
    await projects.remove(parsePart(idParams, 'params', request.params).id);
    return reply.code(204).send();
  });
}
