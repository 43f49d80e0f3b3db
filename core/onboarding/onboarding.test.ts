import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ONBOARDING_KEYS } from '@partner-portal/contract/vocabulary.ts';
import {
  canInstallSample,
  listOnboarding,
  type OnboardingFacts,
  progressOf,
  type SampleFacts,
  sampleSetup,
  sampleState,
  sampleTemplate,
  type SetupFacts,
} from './onboarding.ts';

const at = new Date('2026-03-01T10:00:00Z');
const NONE = Object.fromEntries(ONBOARDING_KEYS.map((key) => [key, null])) as OnboardingFacts; // of every key

describe('the first steps of an agency', () => {
  it('are all of the list, in its order, and open at first', () => {
    const items = listOnboarding(NONE, []);
    assert.deepEqual(
      items.map(({ key }) => key),
      [...ONBOARDING_KEYS],
    );
    assert.deepEqual(progressOf(items), { done: 0, total: 7, nextKey: 'client' });
  });

  it('are done by facts, with the time where there is one', () => {
    const items = listOnboarding({ ...NONE, client: at, event: true }, []);
    assert.deepEqual(
      items.filter((item) => item.isDone).map(({ key, doneAt }) => [key, doneAt]),
      [
        ['client', at],
        ['event', null],
      ],
    );
  });

  it('that are dismissed are not next, and are not done either', () => {
    const dismissals = [
      { key: 'client', dismissedAt: at },
      { key: 'key', dismissedAt: at },
    ];
    assert.deepEqual(progressOf(listOnboarding(NONE, dismissals)), { done: 0, total: 7, nextKey: 'agent' });
    assert.deepEqual(progressOf(listOnboarding({ ...NONE, client: at }, dismissals)), { done: 1, total: 7, nextKey: 'agent' });
  });

  it('end with no next one', () => {
    const all = Object.fromEntries(ONBOARDING_KEYS.map((key) => [key, true])) as OnboardingFacts; // of every key
    assert.deepEqual(progressOf(listOnboarding(all, [])), { done: 7, total: 7, nextKey: null });
  });
});

describe('the sample run', () => {
  const none: SampleFacts = { agent: null, request: null, hasClient: false, setup: 'closed' };
  const cases: [SampleFacts, string][] = [
    [none, 'no_client'],
    [{ ...none, hasClient: true }, 'not_requested'],
    [{ ...none, request: { status: 'suggested' } }, 'suggested'],
    [{ ...none, request: { status: 'submitted' } }, 'submitted'],
    [{ ...none, request: { status: 'approved', isWaiting: true } }, 'installing'],
    [{ ...none, request: { status: 'approved', isWaiting: false } }, 'submitted'],
    [{ ...none, request: { status: 'provisioning' } }, 'installing'],
    [{ ...none, request: { status: 'provisioning_failed' } }, 'failed'],
    [{ ...none, agent: { isActive: false }, request: { status: 'submitted' } }, 'paused'],
    [{ ...none, agent: { isActive: true } }, 'ready'],
    [{ ...none, setup: 'open' }, 'available'],
    [{ ...none, setup: 'running' }, 'installing'],
    [{ ...none, setup: 'failed' }, 'failed'],
    [{ ...none, setup: 'open', request: { status: 'submitted' } }, 'available'],
    [{ ...none, setup: 'open', request: { status: 'approved', isWaiting: true } }, 'installing'],
    [{ ...none, setup: 'open', request: { status: 'approved', isWaiting: false } }, 'available'],
    [{ ...none, setup: 'open', request: { status: 'provisioning_failed' } }, 'available'],
    [{ ...none, setup: 'running', agent: { isActive: true } }, 'ready'],
  ];
  for (const [facts, state] of cases) it(`is ${state} as ${JSON.stringify(facts)}`, () => assert.equal(sampleState(facts), state));

  it('installs its agent where nothing stands in the way', () => {
    for (const setup of ['open', 'failed'] as const) {
      assert.equal(canInstallSample({ ...none, setup }), true);
      assert.equal(canInstallSample({ ...none, setup, agent: { isActive: false } }), false);
      assert.equal(canInstallSample({ ...none, setup, request: { status: 'provisioning' } }), false);
      assert.equal(canInstallSample({ ...none, setup, request: { status: 'submitted' } }), true);
    }
    for (const setup of ['running', 'closed'] as const) assert.equal(canInstallSample({ ...none, setup }), false);
  });

  const attempt = { mode: 'provision', status: 'succeeded', templateNames: ['a'] } as const;
  const setups: [SetupFacts, string][] = [
    [{ isOn: true, instance: 'unprovisioned', attempt: null }, 'open'],
    [{ isOn: false, instance: 'unprovisioned', attempt: null }, 'closed'],
    [{ isOn: false, instance: 'provisioning', attempt: { ...attempt, status: 'running' } }, 'running'],
    [{ isOn: true, instance: 'unprovisioned', attempt: { ...attempt, status: 'running' } }, 'running'],
    [{ isOn: true, instance: 'provisioning', attempt }, 'running'],
    [{ isOn: true, instance: 'deprovisioning', attempt }, 'running'],
    [{ isOn: true, instance: 'ready', attempt }, 'open'],
    [{ isOn: true, instance: 'ready', attempt: { ...attempt, mode: 'recreate' } }, 'open'],
    [{ isOn: true, instance: 'failed', attempt: { ...attempt, status: 'failed' } }, 'failed'],
    [{ isOn: true, instance: 'failed', attempt: { ...attempt, status: 'timed_out' } }, 'failed'],
    [{ isOn: true, instance: 'failed', attempt: { ...attempt, status: 'failed', templateNames: ['b'] } }, 'open'],
    [{ isOn: true, instance: 'failed', attempt: { ...attempt, status: 'failed', mode: 'recreate' } }, 'closed'],
    [{ isOn: true, instance: 'failed', attempt: { ...attempt, status: 'failed', mode: 'deprovision' } }, 'closed'],
    [{ isOn: true, instance: 'unprovisioned', attempt: { ...attempt, mode: 'deprovision', templateNames: [] } }, 'closed'],
  ];
  for (const [facts, setup] of setups)
    it(`has a setup that is ${setup} as ${JSON.stringify(facts)}`, () => assert.equal(sampleSetup(facts, 'a'), setup));

  it('uses the first template that needs no key', () => {
    const templates = [
      { name: 'a', isActive: true, requiredConnections: ['twilio' as const] },
      { name: 'b', isActive: false, requiredConnections: [] },
      { name: 'c', isActive: true, requiredConnections: [] },
    ];
    assert.equal(sampleTemplate(templates)?.name, 'c');
    assert.equal(sampleTemplate([]), undefined);
  });
});
