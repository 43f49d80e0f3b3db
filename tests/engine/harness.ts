import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { EngineOptionsInput } from '@partner-portal/engine/options.ts';
import { startEngine } from '@partner-portal/engine/start.ts';
import type { Engine } from '@partner-portal/engine/start.ts';
import { createTestDatabase } from '../harness/database.ts';
import type { TestDatabase } from '../harness/database.ts';

export const ADMIN = { email: 'engine-admin@example.com', password: 'correct horse battery' };

export type Received = { method: string; url: string; headers: IncomingHttpHeaders; body: string };
export type Sink = {
  url: string;
  port: number;
  received: Received[];
  /** Resolves with all requests once `count` of them (matching `filter`) have arrived. */
  waitFor: (count: number, filter?: (one: Received) => boolean) => Promise<Received[]>;
  close: () => Promise<void>;
};
type Answer = (request: Received, response: ServerResponse) => void;

const answerPlain: Answer = (request, response) => {
  const status = Number(/status=(\d+)/.exec(request.url)?.[1] ?? 200);
  response.writeHead(status, { 'content-type': 'application/json', 'x-sink': '1' });
  response.end(JSON.stringify(status >= 400 ? { error: 'boom' } : { received: request.body.length, id: 'sink', nested: { a: 1 } }));
};

/** A real HTTP server that keeps what it is sent: the target of HTTP steps. */
export async function startSink(answer: Answer = answerPlain): Promise<Sink> {
  const received: Received[] = [];
  const watchers = new Set<() => void>();
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const one = {
        method: request.method ?? '',
        url: request.url ?? '',
        headers: request.headers,
        body: Buffer.concat(chunks).toString('utf8'),
      };
      received.push(one);
      answer(one, response);
      for (const watch of watchers) watch();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    received,
    waitFor: (count, filter = () => true) =>
      new Promise((resolve) => {
        const watch = (): void => {
          const matching = received.filter(filter);
          if (matching.length < count) return;
          watchers.delete(watch);
          resolve(matching);
        };
        watchers.add(watch);
        watch();
      }),
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

export type Reply = { status: number; headers: Headers; body: unknown };
export type TestEngine = {
  engine: Engine;
  base: string;
  database: TestDatabase;
  options: EngineOptionsInput;
  token: string;
  projectId: string;
  call: (method: string, path: string, body?: unknown, headers?: Record<string, string>) => Promise<Reply>;
  close: () => Promise<void>;
};

export function engineOptions(database: TestDatabase, allowedHosts: string[]): EngineOptionsInput {
  return {
    database: database.configFor('portal_engine'),
    adminEmail: ADMIN.email,
    adminPassword: ADMIN.password,
    encryptionKey: randomBytes(32).toString('base64'),
    jwtSecret: randomBytes(32).toString('hex'),
    allowedHosts,
  };
}

export async function callEngine(
  base: string,
  token: string | undefined,
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Reply> {
  const isText = typeof body === 'string';
  const response = await fetch(base + path, {
    method,
    headers: {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined || isText ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: isText ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.includes('json') === true;
  return { status: response.status, headers: response.headers, body: isJson && text !== '' ? JSON.parse(text) : text };
}

/** An engine in this process on a database of its own, signed in. Errors of runs are not logged to the terminal. */
export async function startTestEngine(allowedHosts: string[], overrides: Partial<EngineOptionsInput> = {}): Promise<TestEngine> {
  const database = await createTestDatabase();
  const options = { ...engineOptions(database, allowedHosts), ...overrides };
  const engine = await startEngine(options, () => undefined);
  await engine.executing();
  const base = `http://127.0.0.1:${engine.port}`;
  const signIn = await callEngine(base, undefined, 'POST', '/api/v1/authentication/sign-in', {
    email: ADMIN.email,
    password: ADMIN.password,
  });
  const { token, projectId } = signIn.body as { token: string; projectId: string };
  return {
    engine,
    base,
    database,
    options,
    token,
    projectId,
    call: (method, path, body, headers) => callEngine(base, token, method, path, body, headers),
    close: async () => {
      await engine.close();
      await database.drop();
    },
  };
}

const DATE = '2026-11-21T00:00:00.000Z';
type Step = Record<string, unknown>;

/** A chain of steps, each following the one before. */
export function chain(...steps: Step[]): Step | undefined {
  return steps.reduceRight<Step | undefined>((next, step) => (next === undefined ? step : { ...step, nextAction: next }), undefined);
}

export function httpStep(name: string, url: string, input: Record<string, unknown> = {}, settings: Record<string, unknown> = {}): Step {
  return {
    type: 'PIECE',
    name,
    displayName: name,
    valid: true,
    lastUpdatedDate: DATE,
    settings: {
      pieceName: '@activepieces/piece-http',
      pieceVersion: '0.11.9',
      actionName: 'send_request',
      propertySettings: {},
      input: {
        method: 'POST',
        url,
        headers: {},
        queryParams: {},
        authType: 'NONE',
        body_type: 'json',
        failureMode: 'continue_none',
        ...input,
      },
      ...settings,
    },
  };
}

export function codeStep(name: string, code: string, input: Record<string, unknown> = {}, settings: Record<string, unknown> = {}): Step {
  return {
    type: 'CODE',
    name,
    displayName: name,
    valid: true,
    lastUpdatedDate: DATE,
    settings: { sourceCode: { code, packageJson: '{}' }, input, ...settings },
  };
}

export const CONTINUE = { errorHandlingOptions: { continueOnFailure: { value: true }, retryOnFailure: { value: false } } };

export function webhookTrigger(first: Step | undefined, input: Record<string, unknown> = { authType: 'none' }): Step {
  return {
    type: 'PIECE_TRIGGER',
    name: 'trigger',
    displayName: 'Catch Webhook',
    valid: true,
    lastUpdatedDate: DATE,
    settings: {
      pieceName: '@activepieces/piece-webhook',
      pieceVersion: '0.1.34',
      triggerName: 'catch_webhook',
      input,
      propertySettings: {},
    },
    ...(first === undefined ? {} : { nextAction: first }),
  };
}

/** Creates, imports and publishes a flow; returns its id. */
export async function publishFlow(
  on: Pick<TestEngine, 'call' | 'projectId'>,
  first: Step | undefined,
  options: { schemaVersion?: string; metadata?: Record<string, unknown>; trigger?: Step } = {},
): Promise<string> {
  const created = await on.call('POST', '/api/v1/flows', { displayName: 'flow', projectId: on.projectId, metadata: options.metadata });
  const { id } = created.body as { id: string };
  const imported = await on.call('POST', `/api/v1/flows/${id}`, {
    type: 'IMPORT_FLOW',
    request: { displayName: 'flow', trigger: options.trigger ?? webhookTrigger(first), schemaVersion: options.schemaVersion ?? '20' },
  });
  if (imported.status !== 200) throw new Error(`import: ${JSON.stringify(imported.body)}`);
  const published = await on.call('POST', `/api/v1/flows/${id}`, { type: 'LOCK_AND_PUBLISH', request: {} });
  if (published.status !== 200) throw new Error(`publish: ${JSON.stringify(published.body)}`);
  return id;
}

export type Run = {
  id: string;
  status: string;
  failedStep: { name: string; message: string } | null;
  stepsCount: number;
  steps: Record<string, { type: string; status: string; input: unknown; output?: unknown; errorMessage?: string }>;
};

/** The newest ended run of a flow; waits until `count` runs of it have ended. */
export async function endedRun(on: TestEngine, flowId: string, count = 1): Promise<Run> {
  for (;;) {
    const list = await on.call('GET', `/api/v1/flow-runs?projectId=${on.projectId}&flowId=${flowId}&limit=100`);
    const rows = (list.body as { data: { id: string; finishTime: string | null }[] }).data.filter((row) => row.finishTime !== null);
    const newest = rows[0];
    if (rows.length >= count && newest !== undefined) return (await on.call('GET', `/api/v1/flow-runs/${newest.id}`)).body as Run;
  }
}

/** Sends one event to a flow and waits for its run to end. */
export async function runOnce(on: TestEngine, flowId: string, body: unknown = {}): Promise<Run> {
  const before = await on.call('GET', `/api/v1/flow-runs?projectId=${on.projectId}&flowId=${flowId}&limit=100`);
  const count = (before.body as { data: unknown[] }).data.length;
  await callEngine(on.base, undefined, 'POST', `/api/v1/webhooks/${flowId}`, body);
  return endedRun(on, flowId, count + 1);
}
