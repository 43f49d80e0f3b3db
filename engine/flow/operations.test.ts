import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EngineError } from '../errors.ts';
import { flowOperationSchema, HTTP_PIECE, PIECE_VERSIONS, WEBHOOK_PIECE } from '../protocol.ts';
import type { Action } from '../protocol.ts';
import { applyEdit, emptyContent, isEdit } from './operations.ts';
import type { FlowContent } from './operations.ts';
import { stepsOf } from './tree.ts';

const NOW = '2026-11-21T00:00:00.000Z';
const http = (name: string, input: Record<string, unknown> = {}) => ({
  type: 'PIECE',
  name,
  displayName: name,
  valid: true,
  settings: {
    pieceName: HTTP_PIECE,
    pieceVersion: PIECE_VERSIONS[HTTP_PIECE],
    actionName: 'send_request',
    propertySettings: {},
    input: { method: 'POST', url: 'http://a.test', headers: {}, queryParams: {}, authType: 'NONE', ...input },
  },
});
const code = (name: string, input: Record<string, unknown> = {}) => ({
  type: 'CODE',
  name,
  displayName: name,
  valid: true,
  settings: { sourceCode: { code: 'export const code = 1;', packageJson: '{}' }, input },
});
const router = (name: string) => ({
  type: 'ROUTER',
  name,
  displayName: name,
  valid: true,
  settings: {
    executionType: 'EXECUTE_FIRST_MATCH',
    branches: [
      { branchName: 'a', branchType: 'CONDITION', conditions: [[{ operator: 'EXISTS', firstValue: '{{x.y}}' }]] },
      { branchName: 'f', branchType: 'FALLBACK' },
    ],
  },
});
const loop = (name: string) => ({ type: 'LOOP_ON_ITEMS', name, displayName: name, valid: true, settings: { items: '{{x.y}}' } });
const trigger = {
  type: 'PIECE_TRIGGER',
  name: 'trigger',
  displayName: 't',
  valid: true,
  settings: {
    pieceName: WEBHOOK_PIECE,
    pieceVersion: PIECE_VERSIONS[WEBHOOK_PIECE],
    triggerName: 'catch_webhook',
    input: { authType: 'none' },
    propertySettings: {},
  },
};

function edit(content: FlowContent, type: string, request: unknown): FlowContent {
  const operation = flowOperationSchema.parse({ type, request });
  assert.ok(isEdit(operation));
  return applyEdit(content, operation, NOW);
}
const add = (content: FlowContent, parentStep: string, action: unknown, place: Record<string, unknown> = {}): FlowContent =>
  edit(content, 'ADD_ACTION', { parentStep, action, ...place });
const start = (): FlowContent => edit(emptyContent('f', NOW), 'UPDATE_TRIGGER', trigger);
const names = (content: FlowContent): string[] => stepsOf(content.trigger).map(({ name }) => name);

test('a new flow is not valid; with a webhook trigger it is', () => {
  assert.equal(emptyContent('f', NOW).valid, false);
  assert.equal(start().valid, true);
});

test('an added step is inserted between its parent and the next step', () => {
  const content = add(add(add(start(), 'trigger', http('one')), 'one', http('three')), 'one', http('two'));
  assert.deepEqual(names(content), ['one', 'two', 'three']);
});

test('branches and loops take steps inside; behind them it must be said', () => {
  let content = add(add(start(), 'trigger', router('r')), 'r', http('in'), {
    stepLocationRelativeToParent: 'INSIDE_BRANCH',
    branchIndex: 0,
  });
  content = add(content, 'r', loop('l'), { stepLocationRelativeToParent: 'AFTER' });
  content = add(content, 'l', code('body'), { stepLocationRelativeToParent: 'INSIDE_LOOP' });
  assert.deepEqual(names(content), ['r', 'in', 'l', 'body']);
  for (const parent of ['r', 'l']) {
    assert.throws(
      () => add(content, parent, http('x')),
      (error: unknown) => error instanceof EngineError && error.code === 'FLOW_OPERATION_INVALID' && error.status === 400,
    );
  }
});

test('unknown parents and steps change nothing and are no error', () => {
  const content = add(start(), 'trigger', http('one'));
  assert.deepEqual(names(add(content, 'nowhere', http('two'))), ['one']);
  assert.deepEqual(names(edit(content, 'DELETE_ACTION', { names: ['two'] })), ['one']);
  assert.deepEqual(edit(content, 'UPDATE_ACTION', http('two')).trigger, content.trigger);
});

test('deleting closes the gap at every depth; updating keeps followers', () => {
  let content = add(add(add(start(), 'trigger', http('a')), 'a', http('b')), 'b', http('c'));
  content = edit(content, 'UPDATE_ACTION', { ...http('b', { url: 'http://changed.test' }), displayName: 'changed' });
  assert.deepEqual(names(content), ['a', 'b', 'c']);
  assert.equal(stepsOf(content.trigger)[1]?.displayName, 'changed');
  assert.deepEqual(names(edit(content, 'DELETE_ACTION', { names: ['a', 'b'] })), ['c']);
});

test("validity is the engine's own: a missing URL or an unknown action makes the flow invalid, skipping mends it", () => {
  const missing = add(start(), 'trigger', http('one', { url: '' }));
  assert.equal(missing.valid, false);
  assert.equal(edit(missing, 'SET_SKIP_ACTION', { names: ['one'], skip: true }).valid, true);
  const unknown = http('one');
  unknown.settings.actionName = 'no_such_action';
  assert.equal(add(start(), 'trigger', unknown).valid, false);
});

test('an unknown piece or version is refused with 404; a tilde before the version is not', () => {
  const piece = http('one');
  piece.settings.pieceVersion = '9.9.9' as never;
  assert.throws(
    () => add(start(), 'trigger', piece),
    (error: unknown) => error instanceof EngineError && error.status === 404,
  );
  piece.settings.pieceVersion = `~${PIECE_VERSIONS[HTTP_PIECE]}` as never;
  const [step] = stepsOf(add(start(), 'trigger', piece).trigger);
  assert.equal(step?.type === 'PIECE' && step.settings.pieceVersion, PIECE_VERSIONS[HTTP_PIECE]);
});

const imported = (schemaVersion: string | null | undefined, text: string): unknown => {
  const date = { lastUpdatedDate: NOW };
  const body = { ...code('step_2', { text }), ...date };
  const content = edit(emptyContent('f', NOW), 'IMPORT_FLOW', {
    displayName: 'i',
    schemaVersion,
    trigger: {
      ...trigger,
      ...date,
      nextAction: { ...code('step_1'), ...date, nextAction: { ...body, nextAction: { ...code('step_12'), ...date } } },
    },
  });
  const step = stepsOf(content.trigger)[1] as Action & { type: 'CODE' };
  return step.settings.input['text'];
};
const rewrites: [string, string][] = [
  ['{{trigger.body.n}}', "{{trigger['output'].body.n}}"],
  ["{{trigger['body']['n']}}", "{{trigger['output']['body']['n']}}"],
  ['a {{step_1.x}} b {{ step_1 }}', "a {{step_1['output'].x}} b {{ step_1['output'] }}"],
  ['{{trigger.body.n > 3 ? step_1.a : step_12.b}}', "{{trigger['output'].body.n > 3 ? step_1['output'].a : step_12['output'].b}}"],
  ["{{trigger.body['step_1']}}", "{{trigger['output'].body['step_1']}}"],
  ['{{trigger.step_1.x}}', "{{trigger['output'].step_1.x}}"],
  ['{{connections.step_1.props.x}}', '{{connections.step_1.props.x}}'],
  ['{{nostep.x}}', '{{nostep.x}}'],
  ['{{trigger.output.body.n}}', "{{trigger['output'].output.body.n}}"],
  ['step_1.x outside', 'step_1.x outside'],
];
for (const [before, after] of rewrites) {
  test(`an old import rewrites ${before} to ${after}; a new one keeps it`, () => {
    for (const version of ['20', '21', null, undefined]) assert.equal(imported(version, before), after);
    assert.equal(imported('22', before), before);
  });
}
