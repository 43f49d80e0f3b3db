import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { FrameworkError, invalidRequest } from '../errors.ts';
import { newId, timedIdOfKey, timeOfId } from '../ids.ts';
import type { Intake, Target } from '../intake.ts';
import { isTooDeep } from '../json.ts';
import { messageOf } from '../log.ts';
import { type Budgets, createIntakeRoom } from '../memory.ts';
import { engineIdSchema, IDEMPOTENCY_HEADER, idempotencyKeySchema } from '../protocol.ts';
import { parsePart, whenOver } from '../server.ts';
import type { WebhookReply } from '../steps/respond.ts';
import { storeInput, type TriggerOutput } from '../store/run-log.ts';
import type { Environment } from '../store/runs.ts';
import type { Worker } from '../worker.ts';

const params = z.object({ flowId: engineIdSchema });

export type WebhookState =
  | { kind: 'gone' }
  | { kind: 'disabled' }
  | { kind: 'ready'; target: Target; headerAuth: { name: string; value: string } | undefined };
export type WebhookDirectory = {
  published: (flowId: string) => Promise<WebhookState>;
  latest: (flowId: string) => Promise<WebhookState>;
};

/** Parses bodies as the trigger sees them: JSON, forms and text. The raw text is kept as well. */
function addBodyParsers(app: FastifyInstance, bodyLimit: number): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit }, (_request, body, done) => done(null, body));
}

function parseBody(raw: string, contentType: string): unknown {
  if (contentType === 'application/json' || contentType.endsWith('+json')) {
    if (raw === '') return {};
    if (isTooDeep(raw)) throw new FrameworkError(400, 'The body is nested too deep');
    try {
      return JSON.parse(raw);
    } catch (error) {
      throw new FrameworkError(400, messageOf(error));
    }
  }
  if (contentType === 'application/x-www-form-urlencoded') return Object.fromEntries(new URLSearchParams(raw));
  return raw === '' ? undefined : raw;
}

/** The event as it is stored. Text only: a frame that waits for the commit would keep the parsed body for as long. */
function storedEvent(request: FastifyRequest): string {
  return storeInput(triggerOutput(request));
}

function triggerOutput(request: FastifyRequest): TriggerOutput {
  const raw = Buffer.isBuffer(request.body) ? request.body.toString('utf8') : '';
  const contentType = (request.headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
  const body = parseBody(raw, contentType);
  return {
    method: request.method,
    headers: request.headers,
    ...(body === undefined ? {} : { body }),
    queryParams: { ...(request.query as Record<string, unknown>) },
    rawBody: raw,
  };
}

/** Runs are kept in partitions by the time of their id: there is one for every key this recent. */
const KEY_AGE_MS_MAX = 7 * 86_400_000;
const KEY_AHEAD_MS_MAX = 86_400_000;

/** Reads the idempotency key. Throws 400 for one that is malformed or whose time is more than a week ago or a day ahead. */
function keyOf(request: FastifyRequest, nowMs: number): string | undefined {
  const header = request.headers[IDEMPOTENCY_HEADER];
  if (header === undefined) return undefined;
  const parsed = idempotencyKeySchema.safeParse(header);
  if (!parsed.success) throw invalidRequest(`headers/${IDEMPOTENCY_HEADER} must be a UUID version 7`);
  const at = timeOfId(timedIdOfKey(parsed.data));
  if (at < nowMs - KEY_AGE_MS_MAX || at > nowMs + KEY_AHEAD_MS_MAX)
    throw invalidRequest(`headers/${IDEMPOTENCY_HEADER} is of another time`);
  return parsed.data;
}

/** A wrong or missing header is accepted and starts nothing: so the recorded engine does, and a prober learns nothing. */
function passesAuth(state: Extract<WebhookState, { kind: 'ready' }>, request: FastifyRequest): boolean {
  return state.headerAuth === undefined || request.headers[state.headerAuth.name.toLowerCase()] === state.headerAuth.value;
}

async function sendReply(reply: FastifyReply, answer: WebhookReply | undefined): Promise<FastifyReply> {
  if (answer === undefined) return reply.code(204).send();
  for (const [name, value] of Object.entries(answer.headers)) {
    if (!['content-length', 'transfer-encoding', 'connection'].includes(name.toLowerCase())) reply.header(name, value);
  }
  return reply.code(answer.status).send(answer.body);
}

function within(limitMs: number, answer: Promise<WebhookReply | undefined>): Promise<WebhookReply | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), limitMs);
  });
  return Promise.race([answer, limit]).finally(() => clearTimeout(timer));
}

export function addWebhookRoutes(
  app: FastifyInstance,
  deps: { directory: WebhookDirectory; intake: Intake; worker: Worker; budgets: Budgets; now: () => number; syncLimitMs: number },
): void {
  const { directory, intake, worker, budgets, now } = deps;
  const room = createIntakeRoom(budgets);
  /** Before the body is read. A 503 says that nothing was stored. */
  const takeRoom = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> => {
    const { flowId } = parsePart(params, 'params', request.params);
    const state = await directory.published(flowId);
    const length = Number(
      request.headers['content-length'] ?? (request.headers['transfer-encoding'] === undefined ? 0 : budgets.eventBytesMax),
    );
    const leave = room.enter(state.kind === 'ready' ? state.target.fairnessKey : flowId, Math.min(length, budgets.eventBytesMax));
    if (leave === undefined) return reply.code(503).header('retry-after', '1').send({ message: 'Too many events at once' });
    whenOver(reply, leave);
    return undefined;
  };
  const handle =
    (draft: boolean, sync: boolean) =>
    async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
      const { flowId } = parsePart(params, 'params', request.params);
      const state = await (draft ? directory.latest(flowId) : directory.published(flowId));
      reply.header('x-webhook-id', newId());
      if (state.kind === 'gone') return reply.code(410).send({});
      const event = storedEvent(request);
      const key = draft ? undefined : keyOf(request, now());
      // The repeat of a call whose run is stored succeeds although the flow was switched off in between.
      if (state.kind === 'disabled' && key !== undefined && (await intake.knows(key)))
        return reply.code(sync ? 204 : 200).send(sync ? undefined : {});
      if (state.kind === 'disabled') return draft ? reply.code(sync ? 204 : 200).send(sync ? undefined : {}) : reply.code(404).send({});
      if (!passesAuth(state, request)) return reply.code(sync ? 204 : 200).send(sync ? undefined : {});
      const environment: Environment = draft ? 'TESTING' : 'PRODUCTION';
      if (!sync) {
        await intake.start(state.target, environment, event, { key });
        return reply.code(200).send({});
      }
      let answer: Promise<WebhookReply | undefined> = Promise.resolve(undefined);
      await intake.start(state.target, environment, event, {
        key,
        beforeStart: (runId) => {
          answer = worker.awaitReply(runId);
        },
      });
      return sendReply(reply, await within(deps.syncLimitMs, answer));
    };

  app.register(async (scope) => {
    addBodyParsers(scope, budgets.eventBytesMax);
    scope.setErrorHandler((error, _request, reply) => {
      // The one refusal of this route with a shape of its own.
      if (error instanceof Error && 'statusCode' in error && error.statusCode === 413)
        return reply.code(413).send({ message: 'Payload too large' });
      throw error;
    });
    const base = '/api/v1/webhooks/:flowId';
    const options = { onRequest: takeRoom };
    scope.all(base, options, handle(false, false));
    scope.all(`${base}/sync`, options, handle(false, true));
    scope.all(`${base}/draft`, options, handle(true, false));
    scope.all(`${base}/draft/sync`, options, handle(true, true));
    scope.all(`${base}/test`, options, async (request, reply) => {
      const { flowId } = parsePart(params, 'params', request.params);
      const state = await directory.latest(flowId);
      reply.header('x-webhook-id', newId());
      return reply.code(state.kind === 'gone' ? 410 : 200).send({});
    });
  });
}
