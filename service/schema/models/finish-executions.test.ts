import assert from 'node:assert/strict';
import { it } from 'node:test';
import { endExecution, type ExecutionEnd, type ExecutionState } from './finish-executions.ts';

const state = (over: Partial<ExecutionState>): ExecutionState => ({
  status: 'RUNNING',
  errorCode: null,
  late: false,
  creditsHeld: 3,
  ...over,
});
const SUCCESS: ExecutionEnd = { status: 'SUCCEEDED', by: 'report' };
const FAILURE: ExecutionEnd = { status: 'FAILED', by: 'report' };
const TIMEOUT: ExecutionEnd = { status: 'FAILED', by: 'service' };
const timedOut = state({ status: 'FAILED', errorCode: 'timeout' });

const cases: [name: string, current: ExecutionState, end: ExecutionEnd, effects: object | null][] = [
  ['a success is charged', state({}), SUCCESS, { status: 'SUCCEEDED', late: false, charged: 3, freed: 3, stopped: false }],
  ['a failure is not', state({}), FAILURE, { status: 'FAILED', late: false, charged: 0, freed: 3, stopped: false }],
  [
    'a skipped one is a stop',
    state({}),
    { ...SUCCESS, skipped: true },
    { status: 'SUCCEEDED', late: false, charged: 3, freed: 3, stopped: true },
  ],
  [
    'a skipped failure is none',
    state({}),
    { ...FAILURE, skipped: true },
    { status: 'FAILED', late: false, charged: 0, freed: 3, stopped: false },
  ],
  ['a timeout is not', state({}), TIMEOUT, { status: 'FAILED', late: false, charged: 0, freed: 3, stopped: false }],
  ['a late success corrects a timeout', timedOut, SUCCESS, { status: 'SUCCEEDED', late: true, charged: 3, freed: 0, stopped: false }],
  ['a late failure corrects a timeout', timedOut, FAILURE, { status: 'FAILED', late: true, charged: 0, freed: 0, stopped: false }],
  ['a timeout corrects nothing', timedOut, TIMEOUT, null],
  ['a correction is made once', { ...timedOut, late: true }, SUCCESS, null],
  ['another failure is final', state({ status: 'FAILED', errorCode: 'dispatch_failed' }), SUCCESS, null],
  ['a success is final', state({ status: 'SUCCEEDED' }), FAILURE, null],
  ['a late success is final', state({ status: 'SUCCEEDED', late: true }), TIMEOUT, null],
];
for (const [name, current, end, effects] of cases) it(name, () => assert.deepEqual(endExecution(current, end), effects));
