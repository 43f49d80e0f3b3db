import type { Dispatcher } from 'undici';
import { connectionsIn, REDACTED, resolveForLog, resolveValue } from '../expressions.ts';
import type { DueStep, StepResult } from '../interpreter.ts';
import type { StepRoom } from '../memory.ts';
import { HTTP_PIECE } from '../protocol.ts';
import type { Action, ConnectionValue } from '../protocol.ts';
import type { CodeSandbox } from '../sandbox/pool.ts';
import { sendRequest } from './http.ts';
import { loopItems } from './loop.ts';
import { replyOf } from './respond.ts';
import type { WebhookReply } from './respond.ts';
import { evaluateRouter } from './router.ts';
import { errorText, StepError } from './step.ts';

/** The side effects that steps may use; the same for all runs. */
export type Effects = {
  dispatcher: Dispatcher;
  code: CodeSandbox;
  httpTimeoutMs: number;
  connections: (projectId: string, externalIds: readonly string[]) => Promise<ReadonlyMap<string, ConnectionValue>>;
};
export type StepCall = {
  due: DueStep;
  projectId: string;
  /** Key whose turn the step takes when steps wait. */
  fairnessKey: string;
  signal: AbortSignal;
  room: StepRoom;
  onReply: (reply: WebhookReply) => void;
};

const LOG_INPUT_BYTES_MAX = 2 * 1024;
/** Members of a connection that are no secrets: covering them would blind outputs for nothing. */
const OPEN_MEMBERS = new Set(['type', 'baseUrl', 'reference', 'accountSid', 'username', 'user', 'host', 'database']);
const SECRET_LENGTH_MIN = 6;

/** The part of an action's settings in which expressions are resolved. */
function inputOf(action: Action): unknown {
  switch (action.type) {
    case 'PIECE':
    case 'CODE':
      return action.settings.input;
    case 'LOOP_ON_ITEMS':
      return { items: action.settings.items };
    case 'ROUTER':
      return action.settings;
  }
}

function collectSecrets(value: unknown, into: string[]): void {
  if (typeof value === 'string' && value.length >= SECRET_LENGTH_MIN) into.push(value);
  else if (typeof value === 'object' && value !== null) {
    for (const [key, inner] of Object.entries(value)) if (!OPEN_MEMBERS.has(key)) collectSecrets(inner, into);
  }
}

/**
 * Covers the secrets of the step's connections wherever they come back: an echoing target must not fill the log with them. Parts without one are
 * not copied.
 */
function cover(value: unknown, secrets: readonly string[]): unknown {
  if (secrets.length === 0) return value;
  if (typeof value === 'string') {
    let text = value;
    for (const secret of secrets) if (text.includes(secret)) text = text.replaceAll(secret, REDACTED);
    return text;
  }
  if (typeof value !== 'object' || value === null) return value;
  // Each part is read once: twice on each level would take two to the power of the depth.
  const entries: [key: string, part: unknown][] = Object.entries(value);
  let hasSecret = false;
  for (const entry of entries) {
    const part = cover(entry[1], secrets);
    hasSecret ||= part !== entry[1];
    entry[1] = part;
  }
  if (!hasSecret) return value;
  return Array.isArray(value) ? entries.map(([, part]) => part) : Object.fromEntries(entries);
}

/** Large members are named, not kept: the log is for reading. */
function trimForLog(input: unknown): unknown {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return input;
  return Object.fromEntries(
    Object.entries(input).map(([key, value]) => {
      const size = JSON.stringify(value)?.length ?? 0;
      return [key, size > LOG_INPUT_BYTES_MAX ? `(truncated, original size ${Math.round(size / 1024)} KB)` : value];
    }),
  );
}

type Done = { output: unknown; stopped?: boolean; logInput?: unknown };

async function performPiece(action: Action & { type: 'PIECE' }, input: unknown, call: StepCall, effects: Effects): Promise<Done> {
  const { pieceName, actionName } = action.settings;
  if (pieceName === HTTP_PIECE && actionName === 'send_request') {
    const { signal, room } = call;
    return { output: await sendRequest(input, { dispatcher: effects.dispatcher, timeoutMs: effects.httpTimeoutMs, signal, room }) };
  }
  if (actionName === 'return_response') {
    const { reply, stops } = replyOf(input);
    call.onReply(reply);
    return { output: reply, stopped: stops };
  }
  throw new StepError(`The action ${actionName ?? ''} of ${pieceName} does not exist`);
}

function perform(action: Action, input: unknown, call: StepCall, effects: Effects): Promise<Done> | Done {
  switch (action.type) {
    case 'PIECE':
      return performPiece(action, input, call, effects);
    case 'CODE':
      return effects.code.run(action.settings.sourceCode.code, input, call).then((output) => ({ output }));
    // Resolved settings keep their shape: only texts were replaced.
    case 'ROUTER':
      return { output: evaluateRouter(input as typeof action.settings) };
    case 'LOOP_ON_ITEMS': {
      // The items are stored with the step, since a resumed run needs exactly them.
      const items = loopItems((input as { items: unknown }).items);
      return { output: { item: '', index: 0, iterations: [] }, logInput: { items } };
    }
  }
}

async function openConnections(input: unknown, call: StepCall, effects: Effects): Promise<ReadonlyMap<string, ConnectionValue>> {
  const named = connectionsIn(input);
  if (named.length === 0) return new Map();
  if (call.due.action.type === 'LOOP_ON_ITEMS') throw new StepError('A loop cannot go over a connection: its items are stored');
  const opened = await effects.connections(call.projectId, named);
  for (const id of named) {
    if (!opened.has(id))
      throw new StepError(JSON.stringify({ message: `connection (${id}) not found` }, null, 2), { errorName: 'ConnectionNotFound' });
  }
  return opened;
}

/**
 * Does one step once and says what came of it; a failing step is a result, not an error. Secrets of connections are
 * in no part of the result. Rethrows only the abort of `signal` and faults of ours (database away).
 */
export async function performStep(call: StepCall, effects: Effects): Promise<StepResult> {
  const { action, scope } = call.due;
  const startedAt = performance.now();
  const raw = inputOf(action);
  const secrets: string[] = [];
  let logInput = trimForLog(resolveForLog(raw, scope));
  const result = (rest: Pick<StepResult, 'status' | 'output' | 'errorMessage'>): StepResult => ({
    type: action.type,
    input: logInput,
    durationMs: Math.round((performance.now() - startedAt) * 1000) / 1000,
    ...rest,
  });
  try {
    const connections = await openConnections(raw, call, effects);
    for (const value of connections.values()) collectSecrets(value, secrets);
    const done = await perform(action, resolveValue(raw, scope, connections), call, effects);
    if (done.logInput !== undefined) logInput = done.logInput;
    return result({ status: done.stopped === true ? 'STOPPED' : 'SUCCEEDED', output: cover(done.output, secrets) });
  } catch (thrown) {
    if (!(thrown instanceof StepError)) throw thrown;
    const covered = new StepError(String(cover(thrown.message, secrets)), cover(thrown.detail, secrets) as Record<string, unknown>);
    return result({ status: 'FAILED', errorMessage: errorText(covered) });
  }
}
