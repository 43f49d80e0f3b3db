import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readDirectAnswer, readEngineRun, readEngineSteps } from './engine-outcome.ts';

const IDS = { executionId: '019a0000-0000-7000-8000-000000000001', workflowId: '019a0000-0000-7000-8000-000000000002' };
const outcome = (report: unknown) => ({ outcome: { output: { report } } });

describe('the engine’s run', () => {
  it('is running while it is queued, running or paused there', () => {
    for (const status of ['QUEUED', 'RUNNING', 'PAUSED', undefined]) assert.deepEqual(readEngineRun({ status }, IDS), { is: 'running' });
  });

  it('yields the result computed by its flow unchanged, with or without a report, also while the report is tried again', () => {
    const report = { ...IDS, status: 'FAILED', error: { code: 'twilio_down', message: 'Twilio has a fault', stepName: 'Send text' } };
    for (const status of ['SUCCEEDED', 'FAILED', 'TIMEOUT', 'RUNNING']) {
      const verdict = readEngineRun({ status, steps: outcome(report) }, IDS);
      assert.ok(verdict.is === 'ended');
      assert.deepEqual([verdict.report.status, verdict.report.error?.code], ['FAILED', 'twilio_down']);
    }
  });

  it('ignores the result of another execution and results that are no report', () => {
    for (const report of [
      { ...IDS, executionId: IDS.workflowId, status: 'SUCCEEDED' },
      { ...IDS, status: 'FINE' },
      'text',
      null,
      undefined,
    ]) {
      const verdict = readEngineRun({ status: 'FAILED', steps: outcome(report) }, IDS);
      assert.ok(verdict.is === 'ended');
      assert.deepEqual([verdict.report.status, verdict.report.error?.code], ['FAILED', 'step_failed']);
    }
  });

  it('is a success when a flow without a result succeeded', () => {
    assert.deepEqual(readEngineRun({ status: 'SUCCEEDED', steps: null }, IDS), { is: 'ended', report: { ...IDS, status: 'SUCCEEDED' } });
  });

  it('is explained with our texts and the label of the step, never with the engine’s error', () => {
    const cases: [string, string][] = [
      ['FAILED', 'step_failed'],
      ['TIMEOUT', 'engine_timeout'],
      ['MEMORY_LIMIT_EXCEEDED', 'engine_limit'],
      ['LOG_SIZE_EXCEEDED', 'engine_limit'],
      ['CANCELED', 'engine_cancelled'],
      ['INTERNAL_ERROR', 'engine_error'],
      ['QUOTA_EXCEEDED', 'engine_error'],
      ['SOMETHING_NEW', 'engine_error'],
    ];
    for (const [status, code] of cases) {
      const failedStep = { name: 'step_1', displayName: 'Send text', message: 'Error: at /root/flow.js:12 (run xYz81)' };
      const verdict = readEngineRun({ status, failedStep }, IDS);
      assert.ok(verdict.is === 'ended');
      assert.deepEqual([verdict.report.error?.code, verdict.report.error?.stepName], [code, 'Send text']);
      assert.doesNotMatch(JSON.stringify(verdict), /root|xYz81|step_1/);
    }
  });
});

describe('the run of a turn, which has no executionId', () => {
  const { executionId: turnId, workflowId } = IDS;
  const report = { workflowId, status: 'SUCCEEDED', output: { contacted: '+1' } };
  const eventOf = (body: object) => ({ trigger: { output: { body } } });

  it('has ended as soon as its flow has computed the result: only a report that is refused is left', () => {
    for (const status of ['RUNNING', 'SUCCEEDED', 'TIMEOUT']) {
      const verdict = readEngineRun({ status, steps: { ...eventOf({ turnId }), ...outcome(report) } }, IDS);
      assert.deepEqual(verdict, { is: 'ended', report: { ...report, executionId: turnId } });
    }
    assert.deepEqual(readEngineRun({ status: 'RUNNING', steps: eventOf({ turnId }) }, IDS), { is: 'running' });
  });

  it('is not taken from another turn, from an execution, or from another agent', () => {
    for (const [event, found] of [
      [{ turnId: workflowId }, report],
      [{ turnId, executionId: turnId }, report],
      [{ turnId }, { ...report, workflowId: turnId }],
      [{ turnId }, { ...report, executionId: workflowId }],
    ] as const) {
      const verdict = readEngineRun({ status: 'FAILED', steps: { ...eventOf(event), ...outcome(found) } }, IDS);
      assert.ok(verdict.is === 'ended');
      assert.deepEqual([verdict.report.status, verdict.report.output], ['FAILED', undefined]);
    }
  });

  it('is read from the flow’s answer when that is a result of this agent, and from nothing else', () => {
    assert.deepEqual(readDirectAnswer(report, IDS), { ...report, executionId: turnId });
    for (const answer of [
      undefined,
      null,
      'text',
      {},
      { twice: 42 },
      { ...report, workflowId: turnId },
      { ...report, executionId: turnId },
    ])
      assert.equal(readDirectAnswer(answer, IDS), undefined);
  });
});

describe('the steps of a run in the engine', () => {
  const names = ['check', 'send_text'];

  it('are those its flow computed, with sanitized errors', () => {
    const reported = [{ name: 'check', status: 'failed', error: 'It broke\n    at run (/root/flow.js:12)' }];
    const report = { ...IDS, status: 'FAILED', steps: reported };
    assert.deepEqual(readEngineSteps({ status: 'FAILED', steps: outcome(report) }, IDS, names), [
      { name: 'check', status: 'failed', error: 'It broke' },
    ]);
  });

  it('are otherwise those of its definition that ran, without their output', () => {
    const steps = { check: { status: 'SUCCEEDED', output: { token: 'x' } }, before_send_text: { status: 'SUCCEEDED' }, send_text: {} };
    for (const status of ['RUNNING', 'FAILED'])
      assert.deepEqual(readEngineSteps({ status, steps }, IDS, names), [{ name: 'check', status: 'SUCCEEDED' }]);
    assert.deepEqual(readEngineSteps({ status: 'RUNNING', steps: null }, IDS, names), []);
  });
});
