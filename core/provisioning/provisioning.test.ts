import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { StepStatus } from '@partner-portal/contract/vocabulary.ts';
import { missingCredentialText, shownSetupError } from './missing-credential.ts';
import {
  collapseStages,
  PROVISION_STEPS,
  REPAIR_STEPS,
  STAGES,
  STEP_LISTS,
  stageOf,
  type StepName,
  type StepProgress,
  TIMED_OUT_TEXT,
} from './provisioning.ts';

const at = (second: number) => new Date(Date.UTC(2026, 0, 5, 9, 0, second)).toISOString();

function progress(names: readonly StepName[], statuses: { [name: string]: StepStatus }, otherwise: StepStatus = 'pending'): StepProgress[] {
  return names.map((name, index) => {
    const status = statuses[name] ?? otherwise;
    const started = status !== 'pending' && status !== 'skipped';
    return {
      stage: stageOf(name),
      status,
      startedAt: started ? at(index) : null,
      finishedAt: started && status !== 'running' ? at(index + 1) : null,
    };
  });
}

const stagesOf = (steps: StepProgress[]) => collapseStages(steps).map((stage) => stage.status);

test('provisioning has twelve steps in a fixed order', () => {
  assert.deepEqual(PROVISION_STEPS.length, 12);
  assert.equal(
    PROVISION_STEPS.join(' '),
    'feature_gate partner_lookup claim_instance resolve_endpoint verify_connectivity ensure_tenant resolve_credentials bind_credentials import_flows verify_flows enable_flows mark_ready',
  );
});

test('a repair runs six steps and tears nothing down', () => {
  assert.equal(REPAIR_STEPS.join(' '), 'feature_gate resolve_credentials bind_credentials update_flows verify_flows enable_flows');
});

test('recreate is a full teardown, then a full provision', () => {
  assert.deepEqual(STEP_LISTS.recreate, [...STEP_LISTS.deprovision, ...STEP_LISTS.provision]);
});

test('the twelve steps collapse into four stages with the specified keys, labels and members', () => {
  assert.deepEqual(
    STAGES.map((stage) => [stage.key, stage.label]),
    [
      ['preparing', 'Preparing'],
      ['connecting', 'Connecting to your automation platform'],
      ['configuring_access', 'Configuring access'],
      ['installing_workflows', 'Installing workflows'],
    ],
  );
  const members = Object.groupBy(PROVISION_STEPS, stageOf);
  assert.deepEqual(
    { ...members },
    {
      preparing: ['feature_gate', 'partner_lookup', 'claim_instance'],
      connecting: ['resolve_endpoint', 'verify_connectivity', 'ensure_tenant'],
      configuring_access: ['resolve_credentials', 'bind_credentials'],
      installing_workflows: ['import_flows', 'verify_flows', 'enable_flows', 'mark_ready'],
    },
  );
  assert.equal(stageOf('update_flows'), 'installing_workflows');
});

test('a stage summarizes the statuses of its steps', () => {
  const before = PROVISION_STEPS.slice(0, 6);
  const succeeded = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, 'succeeded' as const]));
  const table: [string, StepProgress[], StepStatus[]][] = [
    ['nothing was attempted yet', [], ['pending', 'pending', 'pending', 'pending']],
    ['all wait', progress(PROVISION_STEPS, {}), ['pending', 'pending', 'pending', 'pending']],
    ['the first runs', progress(PROVISION_STEPS, { feature_gate: 'running' }), ['running', 'pending', 'pending', 'pending']],
    ['between two steps', progress(PROVISION_STEPS, { feature_gate: 'succeeded' }), ['running', 'pending', 'pending', 'pending']],
    [
      'a later stage runs',
      progress(PROVISION_STEPS, { ...succeeded(before), resolve_credentials: 'running' }),
      ['succeeded', 'succeeded', 'running', 'pending'],
    ],
    [
      'one failed, the rest was not reached',
      progress(PROVISION_STEPS, { ...succeeded(before), resolve_credentials: 'succeeded', bind_credentials: 'failed' }, 'skipped'),
      ['succeeded', 'succeeded', 'failed', 'skipped'],
    ],
    ['all done', progress(PROVISION_STEPS, {}, 'succeeded'), ['succeeded', 'succeeded', 'succeeded', 'succeeded']],
    ['a repair connects to nothing', progress(REPAIR_STEPS, {}, 'succeeded'), ['succeeded', 'skipped', 'succeeded', 'succeeded']],
  ];
  for (const [what, steps, expected] of table) assert.deepEqual(stagesOf(steps), expected, what);
});

test('a stage lasts from its first start to its last end, and has no end while it runs', () => {
  const [preparing, connecting] = collapseStages(
    progress(PROVISION_STEPS, {
      feature_gate: 'succeeded',
      partner_lookup: 'succeeded',
      claim_instance: 'succeeded',
      resolve_endpoint: 'running',
    }),
  );
  assert.deepEqual([preparing?.startedAt, preparing?.finishedAt, preparing?.durationMs], [at(0), at(3), 3000]);
  assert.deepEqual([connecting?.startedAt, connecting?.finishedAt, connecting?.durationMs], [at(3), null, null]);
  const [half] = collapseStages(progress(PROVISION_STEPS, { feature_gate: 'succeeded', partner_lookup: 'running' }));
  assert.deepEqual([half?.startedAt, half?.finishedAt, half?.durationMs], [at(0), null, null]);
  const [broken] = collapseStages(progress(PROVISION_STEPS, { feature_gate: 'succeeded', partner_lookup: 'failed' }, 'skipped'));
  assert.deepEqual([broken?.startedAt, broken?.finishedAt, broken?.durationMs], [at(0), at(2), 2000]);
});

test('missing credentials are listed by step label, each once', () => {
  assert.equal(
    missingCredentialText(['Send text', 'Text owner', 'Send text']),
    'Could not activate: missing credential for step(s) Send text, Text owner',
  );
});

test('an agency reads which steps lack a key, and every other error as it is', () => {
  assert.deepEqual([missingCredentialText(['Send text', 'Text owner']), TIMED_OUT_TEXT].map(shownSetupError), [
    'A key is missing for: Send text, Text owner.',
    TIMED_OUT_TEXT,
  ]);
});
