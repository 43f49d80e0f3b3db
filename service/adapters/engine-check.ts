import type { FlowStep, ImportFlow, PieceVersions } from '@partner-portal/core/template/template.ts';
import { FLOW_SCHEMA_VERSION } from '@partner-portal/core/template/template.ts';
import { HTTP_PIECE, WEBHOOK_PIECE } from '@partner-portal/engine/protocol.ts';
import { newId } from '#platform/ids.ts';
import { type EngineClient, explainEngineError, isEngineError } from './engine-client.ts';

/** One thing that was looked at, in words for the operator. `warn`: the engine works, but not everything will. */
export type CheckLine = { state: 'ok' | 'warn' | 'bad'; text: string };

export type CheckOptions = {
  tenancyMode: 'shared' | 'project';
  /** AUTOMATION_ENGINE_PROJECT_ID. */
  projectId: string | null;
  /** AUTOMATION_INTERNAL_API_URL: where flows report to. */
  internalApiUrl: string;
};

const WORKER_MS = 60_000;
/** After a restart of a worker the queue may keep the first job for the one that is gone; 157 seconds were observed with engine 0.85.2. */
const WORKER_AGAIN_MS = 180_000;
/** The engine itself ends a call that waits for a flow's answer after thirty seconds. */
const ANSWER_MS = 40_000;
const FLOW_NAME = 'Check of the engine (may be deleted)';
const STEP_DATE = '2026-01-01T00:00:00.000Z';

/** Ends a check: what follows would only fail for the same reason. */
class CheckEnded extends Error {}

/**
 * Walks an engine as the service uses it: health, version, sign-in, project, pieces, a worker, and a flow of its own that runs from an event to its
 * answer. Reports each part as soon as it is known and stops at the first failure. Everything it made in the engine is removed.
 */
export async function checkEngine(engine: EngineClient, options: CheckOptions, report: (line: CheckLine) => void): Promise<boolean> {
  let isFine = true;
  const say = (state: CheckLine['state'], text: string): void => {
    isFine &&= state !== 'bad';
    report({ state, text });
  };
  try {
    await checkReach(engine, say);
    const projectId = await checkProject(engine, options, say);
    const pieces = await engine.pieceVersions();
    say('ok', `It has the pieces that flows need: ${HTTP_PIECE} ${pieces.http}, ${WEBHOOK_PIECE} ${pieces.webhook}.`);
    await checkWorker(engine, projectId, say);
    await checkFlow(engine, { ...options, projectId }, pieces, say);
  } catch (error) {
    if (isEngineError(error)) say('bad', explainEngineError(error));
    else if (!(error instanceof CheckEnded)) throw error;
  }
  return isFine;
}

type Say = (state: CheckLine['state'], text: string) => void;

async function checkReach(engine: EngineClient, say: Say): Promise<void> {
  const health = await engine.health(10_000);
  if (health.state !== 'healthy') {
    say('bad', health.message ?? 'The engine does not answer.');
    throw new CheckEnded();
  }
  say('ok', `The engine answers in ${health.responseMs ?? 0} ms and reports itself healthy.`);
  const { version, edition } = await engine.about();
  say('ok', `It is version ${version}, edition ${edition}, which this release was tested with.`);
}

async function checkProject(engine: EngineClient, { tenancyMode, projectId }: CheckOptions, say: Say): Promise<string> {
  const first = await engine.findProject();
  say('ok', 'It accepts the login of AUTOMATION_ENGINE_ADMIN_EMAIL.');
  if (tenancyMode === 'shared' && projectId === null) {
    say('bad', `AUTOMATION_ENGINE_PROJECT_ID is not set.${first === null ? '' : ` The engine has this project: ${first}`}`);
    throw new CheckEnded();
  }
  if (projectId !== null && !(await engine.hasProject(projectId))) {
    say('bad', `It has no project "${projectId}" (AUTOMATION_ENGINE_PROJECT_ID).${first === null ? '' : ` It has this one: ${first}`}`);
    throw new CheckEnded();
  }
  const found = projectId ?? first;
  if (found === null) {
    say('bad', 'It has no project: its initial setup is not finished (docs/deploy.md, "The external engine").');
    throw new CheckEnded();
  }
  say(
    'ok',
    tenancyMode === 'shared' ? `It has the project ${found}, which all agencies share.` : 'It has a project; each agency gets its own.',
  );
  return found;
}

async function checkWorker(engine: EngineClient, projectId: string, say: Say): Promise<void> {
  let started = performance.now();
  try {
    await engine.demandWorker(projectId, WORKER_MS);
  } catch (error) {
    if (!isEngineError(error, 'no_worker')) throw error;
    say(
      'warn',
      `No worker took the first job within ${WORKER_MS / 1000} seconds. This also happens for some minutes after a worker was restarted, so the check tries once more, for ${WORKER_AGAIN_MS / 1000} seconds.`,
    );
    started = performance.now();
    await engine.demandWorker(projectId, WORKER_AGAIN_MS);
  }
  say('ok', `A worker took a job and answered in ${Math.round(performance.now() - started)} ms.`);
}

async function checkFlow(
  engine: EngineClient,
  { projectId, internalApiUrl }: CheckOptions & { projectId: string },
  pieces: PieceVersions,
  say: Say,
): Promise<void> {
  const tag = newId();
  const flowId = await createOwn(engine, projectId, tag, say);
  try {
    await engine.importFlow(flowId, flowOf(pieces, internalApiUrl));
    await engine.publish(flowId);
    say('ok', 'It stored and published a flow.');
    const started = performance.now();
    const answer = await engine.callFlow(flowId, newId(), { two: 2 }, { timeoutMs: ANSWER_MS });
    if (answer.kind !== 'answered') {
      say('bad', NO_ANSWER[answer.kind]);
      return;
    }
    const { sum, service } = readAnswer(answer.body);
    if (sum !== 3) {
      say(
        'bad',
        'The flow ran, but its code step did not return the expected result. Check the engine’s log for this run, and AP_EXECUTION_MODE.',
      );
      return;
    }
    say('ok', `The flow ran from its event to its answer in ${Math.round(performance.now() - started)} ms, code step included.`);
    if (service === 200) say('ok', `Its steps reach the service at ${internalApiUrl}.`);
    else
      say(
        'warn',
        `Flow steps do not reach the service at ${internalApiUrl} (AUTOMATION_INTERNAL_API_URL), so runs cannot report their results. Start the service, and set this to the address at which the engine reaches it.`,
      );
  } finally {
    await removeFlows(engine, say, () => Promise.resolve([flowId]));
  }
}

/** Creates the flow of this check, with its tag. When the answer is lost, the flow may be stored all the same, and is removed. */
async function createOwn(engine: EngineClient, projectId: string, tag: string, say: Say): Promise<string> {
  try {
    return (await engine.createFlow({ projectId, displayName: FLOW_NAME, metadata: { check: tag } })).id;
  } catch (error) {
    if (isEngineError(error, 'timeout')) {
      await removeFlows(engine, say, async () => {
        const stored = await engine.listFlows(projectId, FLOW_NAME, ({ check }) => check === tag);
        return stored.map(({ id }) => id);
      });
    }
    throw error;
  }
}

/** Removes the flows and reports those it could not remove; the error that ended the check is reported separately. */
async function removeFlows(engine: EngineClient, say: Say, find: () => Promise<string[]>): Promise<void> {
  try {
    for (const id of await find()) await engine.deleteFlow(id);
    say('ok', 'Removed everything the check created in the engine.');
  } catch (error) {
    if (!isEngineError(error)) throw error;
    say('bad', `The flow "${FLOW_NAME}" could not be removed from the engine. ${explainEngineError(error)}`);
  }
}

const NO_ANSWER = {
  silent:
    'The flow gave no answer within 30 seconds, although a worker answered before: its run waits behind others, or stopped. Look at the log of the engine’s worker.',
  not_found: 'The engine published the flow, but its webhook does not find it.',
  gone: 'The engine published the flow, but its webhook says that it was deleted.',
  refused: 'The engine published the flow but refused the event for it.',
  unreachable: 'The engine could not be reached for the event of the flow.',
  ambiguous: 'The engine accepted the event for the flow, but the response was lost.',
} as const;

function readAnswer(body: unknown): { sum: number; service: number } {
  if (typeof body !== 'object' || body === null) return { sum: 0, service: 0 };
  return { sum: Number(Reflect.get(body, 'sum')), service: Number(Reflect.get(body, 'service')) };
}

/** Event → code step → a call to the service → answer: what every agent's flow is made of. */
function flowOf(pieces: PieceVersions, internalApiUrl: string): ImportFlow {
  const on = { continueOnFailure: { value: true }, retryOnFailure: { value: false } };
  const piece = (name: string, pieceName: string, pieceVersion: string, actionName: string, input: object): FlowStep =>
    step('PIECE', name, { pieceName, pieceVersion, actionName, input, propertySettings: {}, errorHandlingOptions: on });
  const call = { method: 'GET', url: `${internalApiUrl}/health`, headers: {}, queryParams: {}, authType: 'NONE', body_type: 'none' };
  const body = { sum: '{{work.sum}}', service: '{{service.status}}' };
  const answer = { responseType: 'json', respond: 'stop', fields: { status: 200, headers: {}, body } };
  const work = {
    sourceCode: { code: 'export const code = async (inputs) => ({ sum: 1 + Number(inputs.two) });', packageJson: '{}' },
    input: { two: '{{trigger.body.two}}' },
    errorHandlingOptions: on,
  };
  const trigger = step('PIECE_TRIGGER', 'trigger', {
    pieceName: WEBHOOK_PIECE,
    pieceVersion: pieces.webhook,
    triggerName: 'catch_webhook',
    input: { authType: 'none' },
    propertySettings: {},
  });
  const actions = [
    step('CODE', 'work', work),
    piece('service', HTTP_PIECE, pieces.http, 'send_request', {
      ...call,
      failureMode: 'continue_all',
      followRedirects: false,
      timeout: 10,
    }),
    piece('answer', WEBHOOK_PIECE, pieces.webhook, 'return_response', answer),
  ];
  const chain = [trigger, ...actions].reduceRight<FlowStep | undefined>(
    (next, one) => (next ? { ...one, nextAction: next } : one),
    undefined,
  );
  return { displayName: FLOW_NAME, schemaVersion: FLOW_SCHEMA_VERSION, trigger: chain ?? trigger };
}

function step(type: FlowStep['type'], name: string, settings: FlowStep['settings']): FlowStep {
  return { type, name, displayName: name, valid: true, lastUpdatedDate: STEP_DATE, settings };
}
