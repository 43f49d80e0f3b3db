import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { describeQuota } from '@partner-portal/core/quota/quota.ts';
import { listAttention } from './attention.ts';

type Facts = Parameters<typeof listAttention>[0];
const NOW = new Date('2026-11-20T12:00:00Z');
const NONE: Facts = {
  troubled: [],
  missing: [],
  refused: [],
  requests: [],
  alerts: [],
  deciding: [],
  setup: undefined,
  quota: describeQuota({ used: 0, inFlight: 0, monthly: 1000, purchased: 0, periodStart: NOW, periodEnd: NOW, endsAt: null }, NOW),
  hasQuota: false,
};
const quotaOf = (used: number, inFlight: number): Pick<Facts, 'quota' | 'hasQuota'> => ({
  quota: describeQuota({ used, inFlight, monthly: 1000, purchased: 0, periodStart: NOW, periodEnd: NOW, endsAt: null }, NOW),
  hasQuota: true,
});
const items = (facts: Partial<Facts>) => listAttention({ ...NONE, ...facts }, NOW);
const titles = (facts: Partial<Facts>): string[] => items(facts).map(({ title }) => title);

const AGENT: Facts['troubled'][number] = {
  id: 'a1',
  name: 'Text back',
  clientName: 'Oak Street',
  health: 'failing',
  failures: 3,
  lastRunAt: NOW,
  lastError: 'Twilio did not accept the saved key',
};
const KEY: Facts['refused'][number] = { id: 'k1', provider: 'twilio', clientName: null, message: null, at: NOW };
const REQUEST: Facts['requests'][number] = {
  id: 'r1',
  title: 'Appointment reminder',
  clientName: 'Oak Street',
  clientId: 'c1',
  status: 'provisioning_failed',
  failureMessage: 'No key.',
  attemptId: 't1',
  missingProviders: ['calcom', 'resend'],
  since: NOW,
};
const missing = (provider: 'calcom' | 'resend', agents = ['Appointment reminder']): Facts['missing'][number] => ({
  provider,
  clientId: 'c1',
  clientName: 'Oak Street',
  agents,
});
const setup = (attemptId: string): NonNullable<Facts['setup']> => ({
  status: 'failed',
  errorPublic: 'No key.',
  provisionedAt: null,
  attemptId,
  mode: 'provision',
  startedAt: NOW,
  finishedAt: NOW,
  updatedAt: NOW,
  steps: [],
});

describe('one cause is one item', () => {
  it('an agent that fails because a service refused the key is the item of the key', () => {
    assert.deepEqual(titles({ troubled: [AGENT], refused: [KEY] }), ['Twilio refused the key']);
  });
  it('an agent that fails for another reason, or by the key of another client, is an item of its own', () => {
    const both = ['Text back is failing', 'Twilio refused the key'];
    assert.deepEqual(titles({ troubled: [{ ...AGENT, lastError: 'The step ended' }], refused: [KEY] }), both);
    assert.deepEqual(titles({ troubled: [AGENT], refused: [{ ...KEY, clientName: 'Lakeview' }] }), both);
  });
  it('keys that a request waits for, and the setup that failed with it, are the item of the request', () => {
    const found = items({ requests: [REQUEST], missing: [missing('calcom'), missing('resend')], setup: setup('t1') });
    assert.deepEqual(
      found.map(({ title, action }) => [title, action]),
      [['Appointment reminder is not installed yet', 'Add keys']],
    );
  });
  it('a key that another agent lacks as well, and a setup that failed at another attempt, are items of their own', () => {
    const found = titles({
      requests: [REQUEST],
      missing: [missing('calcom', ['Appointment reminder', 'No-show rebooking'])],
      setup: setup('t2'),
    });
    assert.deepEqual(found, ['Setup did not finish', 'A Cal.com key is missing', 'Appointment reminder is not installed yet']);
  });
  it('every open alert is an item: a chatbot, its budget and waiting runs are known by the alert alone', () => {
    const alerts = (['chatbot_failing', 'chatbot_budget', 'first_contacts'] as const).map((rule, at) => ({
      id: `l${at}`,
      rule,
      status: 'open' as const,
      subjectType: 'chatbot' as const,
      subjectId: 's1',
      label: 'Front desk',
      message: 'It needs a person.',
      openedAt: NOW,
    }));
    assert.deepEqual(
      items({ alerts }).map(({ kind, alert }) => [kind, alert?.id]),
      [
        ['chatbot_failing', 'l0'],
        ['chatbot_budget', 'l1'],
        ['first_contacts', 'l2'],
      ],
    );
    const muted = items({ alerts: alerts.map((alert) => ({ ...alert, status: 'resolved' as const })) });
    assert.deepEqual(
      muted.map(({ kind, alert }) => [kind, alert]),
      [
        ['chatbot_failing', null],
        ['chatbot_budget', null],
        ['first_contacts', null],
      ],
      'muting an alert leaves its problem in the list',
    );
  });
});

describe('the credits of the period', () => {
  it('need attention from 80 percent on, and when runs in progress reserve what is left', () => {
    assert.deepEqual(titles(quotaOf(600, 399)), []);
    assert.deepEqual(titles(quotaOf(850, 10)), ['85 % of the credits are used']);
    assert.deepEqual(titles(quotaOf(1000, 0)), ['The credits of this period are used']);
    const [reserved] = items(quotaOf(600, 400));
    assert.deepEqual(
      [reserved?.title, reserved?.detail],
      ['All credits are used or reserved', 'Runs in progress reserve 400 of 1000. New events are refused until some of these come back.'],
    );
  });
});
