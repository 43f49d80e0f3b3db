import assert from 'node:assert/strict';
import { test } from 'node:test';
import { interpret, nestSteps } from './interpreter.ts';
import type { Position, StepResult } from './interpreter.ts';
import type { Action, Trigger } from './protocol.ts';

const code = (name: string, options: Partial<Action> & { forgiving?: boolean } = {}): Action => {
  const { forgiving, ...rest } = options;
  const errorHandlingOptions = { continueOnFailure: { value: forgiving === true } };
  return {
    type: 'CODE',
    name,
    displayName: name,
    valid: true,
    settings: { sourceCode: { code: '', packageJson: '{}' }, input: {}, errorHandlingOptions },
    ...rest,
  } as Action;
};
const chain = (...actions: Action[]): Action | undefined =>
  actions.reduceRight<Action | undefined>((next, action) => ({ ...action, nextAction: next }), undefined);
const loop = (name: string, first: Action | undefined): Action => ({
  type: 'LOOP_ON_ITEMS',
  name,
  displayName: name,
  valid: true,
  settings: { items: '' },
  firstLoopAction: first,
});
const router = (name: string, executionType: 'EXECUTE_FIRST_MATCH' | 'EXECUTE_ALL_MATCH', children: (Action | null)[]): Action => ({
  type: 'ROUTER',
  name,
  displayName: name,
  valid: true,
  settings: { executionType, branches: [] },
  children,
});
const trigger = (first: Action | undefined): Trigger => ({
  type: 'PIECE_TRIGGER',
  name: 'trigger',
  displayName: 't',
  valid: true,
  settings: { pieceName: '', pieceVersion: '', input: {}, propertySettings: {} },
  nextAction: first,
});

const ok = (output: unknown = {}): StepResult => ({ type: 'CODE', status: 'SUCCEEDED', input: {}, output, durationMs: 1 });
const failed = (): StepResult => ({ type: 'CODE', status: 'FAILED', input: {}, errorMessage: 'no', durationMs: 1 });
const looped = (items: unknown[]): StepResult => ({
  type: 'LOOP_ON_ITEMS',
  status: 'SUCCEEDED',
  input: { items },
  output: {},
  durationMs: 1,
});
const routed = (...evaluations: boolean[]): StepResult => ({
  type: 'ROUTER',
  status: 'SUCCEEDED',
  input: {},
  output: { branches: evaluations.map((evaluation) => ({ evaluation })) },
  durationMs: 1,
});

/** Walks to the end, answering each due step; returns the paths in order and the outcome. */
function walk(
  first: Action | undefined,
  answer: (path: string) => StepResult,
): { paths: string[]; position: Position; results: Map<string, StepResult> } {
  const { resume, advance } = interpret(trigger(first), { body: {} });
  const paths: string[] = [];
  const results = new Map<string, StepResult>();
  let position = resume(new Map());
  while (position.kind === 'due') {
    const { path } = position.step;
    paths.push(path);
    const result = answer(path);
    results.set(path, result);
    position = advance(result);
  }
  return { paths, position, results };
}

test('steps follow each other and the run succeeds at the end of the chain', () => {
  const { paths, position } = walk(chain(code('a'), code('b')), () => ok());
  assert.deepEqual(paths, ['a', 'b']);
  assert.deepEqual(position, { kind: 'finished', outcome: { kind: 'SUCCEEDED', stepsCount: 2 } });
});

test('a flow without steps is finished at once', () => {
  assert.equal(walk(undefined, () => ok()).position.kind, 'finished');
});

test('a skipped step is passed over, and its followers run', () => {
  assert.deepEqual(walk(chain(code('a', { skip: true }), code('b')), () => ok()).paths, ['b']);
});

test('a failure ends the run and names the step; a forgiven one does not', () => {
  const hard = walk(chain(code('a'), code('b')), () => failed());
  assert.deepEqual(hard.paths, ['a']);
  assert.deepEqual(hard.position, {
    kind: 'finished',
    outcome: { kind: 'FAILED', stepsCount: 0, failedStep: { name: 'a', displayName: 'a', message: 'no' } },
  });
  const soft = walk(chain(code('a', { forgiving: true }), code('b')), (path) => (path === 'a' ? failed() : ok()));
  assert.deepEqual(soft.paths, ['a', 'b']);
  assert.equal(soft.position.kind === 'finished' && soft.position.outcome.kind, 'SUCCEEDED');
});

test('a stopping step ends the run well, also from inside a branch', () => {
  const { paths, position } = walk(chain(router('r', 'EXECUTE_ALL_MATCH', [code('in')]), code('after')), (path) =>
    path === 'r' ? routed(true) : { ...ok(), status: 'STOPPED' },
  );
  assert.deepEqual(paths, ['r', 'in']);
  assert.equal(position.kind === 'finished' && position.outcome.kind, 'SUCCEEDED');
});

test('first match takes one branch, all match takes each that holds, an empty branch takes nothing', () => {
  const children = (): (Action | null)[] => [code('x'), null, code('z')];
  assert.deepEqual(
    walk(chain(router('r', 'EXECUTE_FIRST_MATCH', children()), code('after')), (path) => (path === 'r' ? routed(true, true, true) : ok()))
      .paths,
    ['r', 'x', 'after'],
  );
  assert.deepEqual(
    walk(chain(router('r', 'EXECUTE_ALL_MATCH', children()), code('after')), (path) => (path === 'r' ? routed(true, true, true) : ok()))
      .paths,
    ['r', 'x', 'z', 'after'],
  );
  assert.deepEqual(
    walk(chain(router('r', 'EXECUTE_FIRST_MATCH', children()), code('after')), (path) =>
      path === 'r' ? routed(false, false, false) : ok(),
    ).paths,
    ['r', 'after'],
  );
});

test('a loop runs its steps once per item, nested loops included, and iterations are named in the path', () => {
  const inner = loop('m', code('c'));
  const { paths, results } = walk(chain(loop('l', chain(code('b'), inner)), code('after')), (path) =>
    path === 'l' ? looped(['x', 'y']) : path.endsWith('m') ? looped([1]) : ok(path),
  );
  assert.deepEqual(paths, ['l', 'l[0].b', 'l[0].m', 'l[0].m[0].c', 'l[1].b', 'l[1].m', 'l[1].m[0].c', 'after']);
  const nested = nestSteps(results) as Record<
    string,
    {
      output: {
        index: number;
        item: unknown;
        iterations: Record<string, { output: { iterations: Record<string, { output: unknown }>[] } }>[];
      };
    }
  >;
  assert.equal(nested['l']?.output.index, 2);
  assert.equal(nested['l']?.output.item, 'y');
  assert.equal(nested['l']?.output.iterations[1]?.['m']?.output.iterations[0]?.['c']?.output, 'l[1].m[0].c');
});

test('a failure inside a loop ends the run at that iteration', () => {
  const { paths, position } = walk(chain(loop('l', code('b')), code('after')), (path) =>
    path === 'l' ? looped([1, 2, 3]) : path === 'l[1].b' ? failed() : ok(),
  );
  assert.deepEqual(paths, ['l', 'l[0].b', 'l[1].b']);
  assert.equal(position.kind === 'finished' && position.outcome.kind === 'FAILED' && position.outcome.failedStep.name, 'b');
});

test('later steps see what earlier ones gave, and the current item of the loop around them', () => {
  const { resume, advance } = interpret(trigger(chain(code('a'), loop('l', code('b')))), { body: 1 });
  const first = resume(new Map());
  assert.ok(first.kind === 'due');
  assert.deepEqual(first.step.scope.get('trigger'), { output: { body: 1 } });
  advance(ok(5));
  const inLoop = advance(looped(['x', 'y']));
  assert.ok(inLoop.kind === 'due');
  assert.deepEqual(inLoop.step.scope.get('a'), { output: 5 });
  assert.equal((inLoop.step.scope.get('l') as { output: { item: string } }).output.item, 'x');
  const again = advance(ok());
  assert.ok(again.kind === 'due');
  assert.equal((again.step.scope.get('l') as { output: { item: string; index: number } }).output.index, 2);
});

test('from any prefix of stored results a run resumes at exactly the next step', () => {
  const tree = chain(code('a'), router('r', 'EXECUTE_ALL_MATCH', [code('x'), loop('l', code('y'))]), code('z'));
  const answer = (path: string): StepResult => (path === 'r' ? routed(true, true) : path === 'l' ? looped([1, 2]) : ok(path));
  const { paths, results } = walk(tree, answer);
  for (let stored = 0; stored <= paths.length; stored += 1) {
    const prefix = new Map([...results].slice(0, stored));
    const position = interpret(trigger(tree), { body: {} }).resume(prefix);
    assert.equal(position.kind === 'due' ? position.step.path : 'end', paths[stored] ?? 'end');
  }
});
