import type { DispatchOutcome } from '@partner-portal/core/execution/dispatch.ts';
import type { PieceVersions } from '@partner-portal/core/template/template.ts';
import {
  type ConnectionReply,
  connectionReplySchema,
  HTTP_PIECE,
  pageReplySchema,
  pieceReplySchema,
  type ProjectReply,
  projectReplySchema,
  type RunReply,
  WEBHOOK_PIECE,
} from '@partner-portal/engine/protocol.ts';
import type { z } from 'zod';
import type { Clock } from '#platform/clock.ts';
import { EngineError, explainEngineError, isEngineError } from './engine/engine-error.ts';
import { createEngineFlows, type EngineFlows } from './engine/engine-flows.ts';
import { byWorker, WORKER_TIMEOUT_MS } from './engine/engine-worker.ts';
import { createEngineHttp, type HttpSend } from './engine/engine-http.ts';
import { findRunsByEvent, findRunsByKey, type RunUnseen, type WantedRun } from './engine/engine-lookup.ts';
import { listStopped, readStoppedRun } from './engine/engine-stopped.ts';
import { callFlow, type DirectAnswer } from './engine/engine-direct.ts';
import { dispatchRun } from './engine/engine-runs.ts';
import {
  createEngineSession,
  type EngineAbout,
  type EngineAccount,
  type EngineSession,
  type EngineSessionState,
  discardReply,
  refuseUntested,
} from './engine/engine-session.ts';
import { createKeyedLimiter } from '#platform/keyed-limiter.ts';

export { type EngineErrorKind, explainEngineError, isEngineError, noneIfNotFound } from './engine/engine-error.ts';
export type { EngineFlow } from './engine/engine-flows.ts';
export type { HttpSend } from './engine/engine-http.ts';
export type { DirectAnswer } from './engine/engine-direct.ts';
export type { EngineAbout, EngineAccount, EngineSessionState } from './engine/engine-session.ts';

export type EngineHealth = {
  state: 'healthy' | 'unhealthy' | 'unreachable';
  /** Response time; null without a response. */
  responseMs: number | null;
  /** For staff and the log; null when healthy. */
  message: string | null;
};

export type EngineConnection = Pick<ConnectionReply, 'id' | 'externalId' | 'displayName' | 'type' | 'status' | 'updated'>;
export type ConnectionValue = { projectId: string; externalId: string; displayName: string; props: { readonly [key: string]: unknown } };

/**
 * The workflow engine over HTTP, embedded or external. Every method throws `EngineError` on failure unless its comment says otherwise, and
 * none may be called inside a transaction.
 */
export type EngineClient = EngineFlows & {
  /** Checks its health within `budgetMs`. Never throws. */
  health(budgetMs: number): Promise<EngineHealth>;
  /** Version and edition; refuses `untested_version` when this client was not tested with it. */
  about(): Promise<EngineAbout>;
  /** Version and edition, whether tested or not. */
  version(): Promise<EngineAbout>;
  /** Start and end of the admin session; nulls before the first call. */
  session(): EngineSessionState;
  /** Drops the admin session; the next call logs in. */
  forgetSession(): void;
  /** Logs in again unless it did so after `since`, and checks that the engine accepts the new session. The former session is gone even when this fails. */
  refreshSession(since: Date): Promise<void>;
  /** Exact piece versions that flows must name. */
  pieceVersions(): Promise<PieceVersions>;
  /** All projects, or those whose name contains `name`. */
  listProjects(name?: string): Promise<ProjectReply[]>;
  /** The id of a project that the account can see, the first of them; null when it sees none. */
  findProject(): Promise<string | null>;
  /** Whether the engine has a project of this id. */
  hasProject(projectId: string): Promise<boolean>;
  /** Throws `plan_limit` when the engine's plan holds no more projects. */
  createProject(project: { displayName: string; externalId?: string }): Promise<ProjectReply>;
  /** Returns false when it did not exist. Throws `refused` for the engine's personal project, which cannot be deleted. */
  deleteProject(projectId: string): Promise<boolean>;
  /** Creates the connection of this external id or replaces its value. Its name in the engine ends in the external id. */
  upsertConnection(connection: ConnectionValue): Promise<EngineConnection>;
  /** All connections, or those whose name contains `name`, which an external id does. */
  listConnections(projectId: string, name?: string): Promise<EngineConnection[]>;
  /** Returns false when it did not exist. */
  deleteConnection(connectionId: string): Promise<boolean>;
  /** Throws `no_worker` unless a worker answers within `timeoutMs`: it stores a connection, which only a worker can check, and removes it. */
  demandWorker(projectId: string, timeoutMs: number): Promise<void>;
  /** Posts the event of an execution to a flow. Never throws for what the engine or the network does. */
  dispatch(flowId: string, executionId: string, body: unknown, traceparent?: string): Promise<DispatchOutcome>;
  /** Posts an event to a flow and waits for the flow's own answer. Never throws for what the engine or the network does. */
  callFlow(
    flowId: string,
    executionId: string,
    body: unknown,
    options: { timeoutMs: number; signal?: AbortSignal | undefined; traceparent?: string | undefined },
  ): Promise<DirectAnswer>;
  /** The runs of executions of one flow, by execution; null when there certainly is none. Bounded in calls and in how many run at a time. */
  findRuns(flowId: string, wanted: readonly WantedRun[]): Promise<Map<string, RunReply | null | RunUnseen>>;
  /** Lists runs of these flows that ended without success since a moment, the newest of each project. A flow that is gone has none. */
  listStopped(flows: readonly { flowId: string; since: Date }[]): Promise<{ runId: string; flowId: string }[]>;
  /** Reads such a run with the execution in its event; null when the engine no longer has it, or no event stands in it. */
  readStopped(runId: string): Promise<{ executionId: string; run: RunReply } | null>;
};

export type EngineClientOptions = {
  /** Internal base address, with or without `/api`; null while there is none (the embedded engine is starting). */
  baseUrl: () => string | null;
  account: EngineAccount | null;
  send: HttpSend;
  /** Sends calls whose answer is waited for long, on connections of their own; without it they use those of `send`. */
  sendWaiting?: HttpSend;
  clock: Clock;
};

const READ_TIMEOUT_MS = 15_000;
const WRITE_TIMEOUT_MS = 30_000;
const PIECES_CACHE_MS = 60_000;
const PAGE_ROWS = 50;
const PAGES_MAX = 200;

const projectsPage = pageReplySchema(projectReplySchema);
const connectionsPage = pageReplySchema(connectionReplySchema);

/** Creates the client of the process: its session, prefix and limiter are shared by all callers. */
export function createEngineClient(options: EngineClientOptions): EngineClient {
  const http = createEngineHttp(options.send, options.baseUrl, options.sendWaiting);
  const session = createEngineSession(http, options.account, options.clock, options.baseUrl);
  // The engine serialises neither edits of a flow nor upserts of a connection, and loses concurrent ones (engine API, §0.7 and §0.8).
  const oneAtATime = createKeyedLimiter();
  const flows = createEngineFlows(session, oneAtATime);
  const projectOf = new Map<string, string>();
  /** The address of an engine that was seen to know no idempotency keys. */
  let keysUnknownAt: string | null | undefined;
  let pieces: { value: PieceVersions; until: number } | undefined;

  const pieceVersion = async (name: string): Promise<string> => {
    try {
      return (await http.json({ method: 'GET', path: `/pieces/${name}`, timeoutMs: READ_TIMEOUT_MS }, pieceReplySchema)).version;
    } catch (error) {
      if (!isEngineError(error, 'not_found')) throw error;
      throw new EngineError('no_piece', `The engine does not have the piece ${name}.`, { cause: error });
    }
  };

  const remove = async (path: string): Promise<boolean> => {
    try {
      await discardReply(session, { method: 'DELETE', path, timeoutMs: WRITE_TIMEOUT_MS });
      return true;
    } catch (error) {
      if (isEngineError(error, 'not_found')) return false;
      throw error;
    }
  };

  const upsert = async ({ projectId, externalId, displayName, props }: ConnectionValue, timeoutMs: number): Promise<EngineConnection> => {
    // A dot or a quote in it would make every reference to it an empty text (engine API, §0.3 and §5).
    if (!/^\w+$/.test(externalId))
      throw new EngineError('protocol', `"${externalId}" cannot name a connection: letters, digits and underscores only.`);
    // The engine filters connections by name alone.
    const name = `${displayName} · ${externalId}`;
    const value = { type: 'CUSTOM_AUTH', props };
    const body = { externalId, displayName: name, projectId, pieceName: HTTP_PIECE, type: 'CUSTOM_AUTH', value };
    const call = { method: 'POST' as const, path: '/app-connections', body, isSecret: true, timeoutMs };
    try {
      return await oneAtATime(`connection:${projectId}:${externalId}`, () =>
        byWorker(timeoutMs, () => session.call(call, connectionReplySchema)),
      );
    } catch (error) {
      // A missing piece and a missing project are refused alike, and neither is named (engine API, §14).
      if (isEngineError(error, 'not_found')) await pieceVersion(HTTP_PIECE);
      throw error;
    }
  };

  /** Returns the project of a flow, read once; null when the flow is gone. */
  const findProjectOf = async (flowId: string): Promise<string | null> => {
    const known = projectOf.get(flowId);
    if (known !== undefined) return known;
    const flow = await flows.getFlow(flowId);
    if (flow !== null) projectOf.set(flowId, flow.projectId);
    return flow?.projectId ?? null;
  };

  return {
    ...flows,
    async health(budgetMs) {
      const started = performance.now();
      try {
        const healthy = await http.healthy(budgetMs);
        const responseMs = Math.round(performance.now() - started);
        return healthy
          ? { state: 'healthy', responseMs, message: null }
          : { state: 'unhealthy', responseMs, message: 'The engine reports itself unhealthy; most likely its database is unavailable.' };
      } catch (error) {
        if (!(error instanceof EngineError)) throw error;
        return { state: 'unreachable', responseMs: null, message: explainEngineError(error) };
      }
    },
    version: session.about,
    async about() {
      const about = await session.about();
      refuseUntested(about);
      return about;
    },
    session: session.state,
    forgetSession: session.forget,
    refreshSession: session.refresh,
    async pieceVersions() {
      const now = options.clock.now().getTime();
      if (pieces && pieces.until > now) return pieces.value;
      const [webhook, ownHttp] = await Promise.all([pieceVersion(WEBHOOK_PIECE), pieceVersion(HTTP_PIECE)]);
      // Expires, because the engine may be upgraded.
      pieces = { value: { webhook, http: ownHttp }, until: now + PIECES_CACHE_MS };
      return pieces.value;
    },
    listProjects: (name) => readAll(session, '/projects', name === undefined ? {} : { displayName: name }, projectsPage),
    async findProject() {
      const { data } = await session.call({ method: 'GET', path: '/projects?limit=1', timeoutMs: READ_TIMEOUT_MS }, projectsPage);
      return data[0]?.id ?? null;
    },
    async hasProject(projectId) {
      try {
        await session.call(
          { method: 'GET', path: `/projects/${encodeURIComponent(projectId)}`, timeoutMs: READ_TIMEOUT_MS },
          projectReplySchema,
        );
        return true;
      } catch (error) {
        // An id of another form than the engine's own is refused before it is looked up (engine API, §1).
        if (isEngineError(error, 'not_found') || (isEngineError(error, 'refused') && error.status === 400)) return false;
        throw error;
      }
    },
    createProject: (project) =>
      session.call({ method: 'POST', path: '/projects', body: project, timeoutMs: WRITE_TIMEOUT_MS }, projectReplySchema),
    upsertConnection: (connection) => upsert(connection, WORKER_TIMEOUT_MS),
    async demandWorker(projectId, timeoutMs) {
      const { id } = await upsert(
        { projectId, externalId: 'portal_worker_check', displayName: 'Is a worker running?', props: { of: 'no use' } },
        timeoutMs,
      );
      await remove(`/app-connections/${id}`);
    },
    listConnections: (projectId, name) =>
      readAll(session, '/app-connections', { projectId, ...(name === undefined ? {} : { displayName: name }) }, connectionsPage),
    deleteProject: (projectId) => remove(`/projects/${projectId}`),
    deleteConnection: (connectionId) => remove(`/app-connections/${connectionId}`),
    callFlow: (flowId, executionId, body, how) => callFlow(http, flowId, executionId, body, how),
    dispatch: (flowId, executionId, body, traceparent) => dispatchRun(http, flowId, executionId, body, traceparent),
    async findRuns(flowId, wanted) {
      const base = options.baseUrl();
      const found = keysUnknownAt === base ? undefined : await findRunsByKey(session, wanted);
      if (found) return found;
      keysUnknownAt = base;
      const projectId = await findProjectOf(flowId);
      // Its runs went with it.
      if (projectId === null) return new Map(wanted.map((one) => [one.executionId, null]));
      return findRunsByEvent(session, { projectId, flowId, wanted });
    },
    listStopped: (wanted) => listStopped(session, wanted, findProjectOf),
    readStopped: (runId) => readStoppedRun(session, runId),
  };
}

type Page<T> = { data: T[]; next: string | null };

/** Returns all rows of a list, page by page: the engine's default page has ten rows. */
async function readAll<T>(session: EngineSession, path: string, filters: Record<string, string>, shape: z.ZodType<Page<T>>): Promise<T[]> {
  const rows: T[] = [];
  let cursor: string | null = null;
  for (let page = 0; page < PAGES_MAX; page++) {
    const query = new URLSearchParams({ ...filters, limit: String(PAGE_ROWS), ...(cursor === null ? {} : { cursor }) });
    const answer: Page<T> = await session.call({ method: 'GET', path: `${path}?${query}`, timeoutMs: READ_TIMEOUT_MS }, shape);
    rows.push(...answer.data);
    cursor = answer.next;
    if (cursor === null) return rows;
  }
  throw new EngineError('protocol', `GET ${path}: the list does not end after ${PAGES_MAX} pages.`);
}
