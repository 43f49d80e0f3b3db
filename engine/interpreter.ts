import type { Action, LoopAction, RouterAction, Trigger } from './protocol.ts';

/** The result of a finished (or failed) step; the unit that is stored and replayed. */
export type StepResult = {
  type: Action['type'];
  status: 'SUCCEEDED' | 'FAILED' | 'STOPPED';
  /** Inputs as the run log may show them: connection values are covered. */
  input: unknown;
  output?: unknown;
  /** JSON text of a failure, `{__apErrorVersion, message, …}`. */
  errorMessage?: string;
  durationMs: number;
};

export type FailedStep = { name: string; displayName: string; message: string };
export type Outcome = { kind: 'SUCCEEDED'; stepsCount: number } | { kind: 'FAILED'; stepsCount: number; failedStep: FailedStep };

/** A step that is due, with everything its inputs may refer to. `path` names it within the run, iterations included. */
export type DueStep = { action: Action; path: string; scope: ReadonlyMap<string, unknown> };

type Walk = Generator<DueStep, Ending, StepResult>;
/** How a chain ended: at its end, at a step that ends the run, or at a failure. */
type Ending = { kind: 'done' } | { kind: 'stopped' } | { kind: 'failed'; failedStep: FailedStep };
type Frame = { scope: Map<string, unknown>; count: { succeeded: number } };
type StepLog = Record<string, unknown>;

const DONE: Ending = { kind: 'done' };

/** The log form of one step, as run replies and `iterations` show it. */
export function stepLog(result: StepResult): StepLog {
  return {
    type: result.type,
    status: result.status,
    input: result.input,
    ...(result.output === undefined ? {} : { output: result.output }),
    duration: result.durationMs,
    ...(result.errorMessage === undefined ? {} : { errorMessage: result.errorMessage }),
  };
}

function continuesOnFailure(action: Action): boolean {
  if (action.type !== 'PIECE' && action.type !== 'CODE') return false;
  return action.settings.errorHandlingOptions?.continueOnFailure?.value === true;
}

function view(result: StepResult): Record<string, unknown> {
  if (result.status !== 'FAILED') return { output: result.output };
  return { error: { message: result.errorMessage } };
}

function* walkChain(first: Action | null | undefined, prefix: string, frame: Frame, log: StepLog): Walk {
  for (let action = first; action; action = action.nextAction) {
    if (action.skip === true) continue;
    const path = prefix + action.name;
    const result = yield { action, path, scope: frame.scope };
    frame.scope.set(action.name, view(result));
    log[action.name] = stepLog(result);
    if (result.status === 'FAILED') {
      if (continuesOnFailure(action)) continue;
      const { name, displayName } = action;
      return { kind: 'failed', failedStep: { name, displayName, message: (result.errorMessage ?? '').slice(0, 700) } };
    }
    // Steps inside loops are not counted, however often they ran.
    if (!path.includes('[')) frame.count.succeeded += 1;
    if (result.status === 'STOPPED') return { kind: 'stopped' };
    const inside = walkInside(action, path, result, frame, log);
    if (inside === undefined) continue;
    const ending = yield* inside;
    if (ending.kind !== 'done') return ending;
  }
  return DONE;
}

function walkInside(action: Action, path: string, result: StepResult, frame: Frame, log: StepLog): Walk | undefined {
  if (action.type === 'ROUTER') return walkBranches(action, path, result, frame, log);
  if (action.type === 'LOOP_ON_ITEMS') return walkLoop(action, path, result, frame);
  return undefined;
}

/** Which children of a router run, from its stored output. */
function takenBranches(action: RouterAction, output: unknown): number[] {
  const branches = (output as { branches?: { evaluation?: boolean }[] } | null)?.branches ?? [];
  const taken = branches.flatMap((branch, index) => (branch.evaluation === true ? [index] : []));
  return action.settings.executionType === 'EXECUTE_FIRST_MATCH' ? taken.slice(0, 1) : taken;
}

function* walkBranches(action: RouterAction, path: string, result: StepResult, frame: Frame, log: StepLog): Walk {
  const prefix = path.slice(0, path.length - action.name.length);
  for (const index of takenBranches(action, result.output)) {
    const ending = yield* walkChain(action.children[index], prefix, frame, log);
    if (ending.kind !== 'done') return ending;
  }
  return DONE;
}

function* walkLoop(action: LoopAction, path: string, result: StepResult, frame: Frame): Walk {
  const items = (result.input as { items?: unknown[] }).items ?? [];
  const iterations: StepLog[] = [];
  for (const [index, item] of items.entries()) {
    const log: StepLog = {};
    iterations.push(log);
    frame.scope.set(action.name, { output: { item, index: index + 1, iterations } });
    const ending = yield* walkChain(action.firstLoopAction, `${path}[${index}].`, frame, log);
    if (ending.kind !== 'done') return ending;
  }
  return DONE;
}

function* walkRun(trigger: Trigger, triggerOutput: unknown): Generator<DueStep, Outcome, StepResult> {
  const frame: Frame = { scope: new Map([[trigger.name, { output: triggerOutput }]]), count: { succeeded: 0 } };
  const ending = yield* walkChain(trigger.nextAction, '', frame, {});
  const stepsCount = frame.count.succeeded;
  return ending.kind === 'failed' ? { kind: 'FAILED', stepsCount, failedStep: ending.failedStep } : { kind: 'SUCCEEDED', stepsCount };
}

export type Position = { kind: 'due'; step: DueStep } | { kind: 'finished'; outcome: Outcome };

/**
 * Walks one run of a flow version. Pure: the same tree, trigger output and results give the same steps in the same
 * order, which is what makes a stored run resumable. `resume` replays stored results up to the first step without one.
 */
export function interpret(
  trigger: Trigger,
  triggerOutput: unknown,
): {
  resume: (stored: ReadonlyMap<string, StepResult>) => Position;
  advance: (result: StepResult) => Position;
} {
  const walk = walkRun(trigger, triggerOutput);
  const positionOf = (turn: IteratorResult<DueStep, Outcome>): Position =>
    turn.done === true ? { kind: 'finished', outcome: turn.value } : { kind: 'due', step: turn.value };
  return {
    resume: (stored) => {
      let position = positionOf(walk.next());
      while (position.kind === 'due') {
        const result = stored.get(position.step.path);
        if (result === undefined) return position;
        position = positionOf(walk.next(result));
      }
      return position;
    },
    advance: (result) => positionOf(walk.next(result)),
  };
}

/** The nested `steps` map of a run reply, from the flat paths under which results are stored. */
export function nestSteps(results: ReadonlyMap<string, StepResult>): StepLog {
  const root: StepLog = {};
  const loops = new Map<string, StepLog>();
  for (const [path, result] of results) {
    const cut = path.lastIndexOf('.') + 1;
    const name = path.slice(cut);
    const log = stepLog(result);
    (cut === 0 ? root : iterationLog(loops, path.slice(0, cut - 1)))[name] = log;
    if (result.type === 'LOOP_ON_ITEMS' && result.status === 'SUCCEEDED') {
      const items = (result.input as { items?: unknown[] }).items ?? [];
      log['output'] = { item: items.at(-1), index: items.length, iterations: [] };
      loops.set(path, log);
    }
  }
  return root;
}

function iterationLog(loops: Map<string, StepLog>, place: string): StepLog {
  const open = place.lastIndexOf('[');
  const output = loops.get(place.slice(0, open))?.['output'] as { iterations: StepLog[] } | undefined;
  const index = Number(place.slice(open + 1, -1));
  const log = output?.iterations[index] ?? {};
  if (output !== undefined) output.iterations[index] = log;
  return log;
}
