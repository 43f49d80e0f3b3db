import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeRequest, type RequestFacts } from './describe-request.ts';

const NONE: RequestFacts = {
  kind: 'custom',
  applicant: 'Ada',
  plan: null,
  clients: null,
  seats: null,
  credits: null,
  features: 0,
  message: null,
};

test('describes a request in one sentence with grouped numbers, followed by the message', () => {
  assert.equal(
    describeRequest({ ...NONE, plan: 'Growth', clients: 1200, seats: 1, credits: 50_000, features: 2, message: ' We grow. ' }),
    'Ada asks for the Growth plan, 1,200 clients, 1 seat, 50,000 credits a month and 2 more features. “We grow.”',
  );
  assert.equal(describeRequest({ ...NONE, clients: 120, credits: 0 }), 'Ada asks for 120 clients and 0 credits a month.');
});

test('describes a request without any terms', () => {
  assert.equal(describeRequest({ ...NONE, message: '' }), 'Ada asks for other terms.');
  assert.equal(describeRequest({ ...NONE, kind: 'signup' }), 'Ada asks for a plan.');
  assert.equal(describeRequest({ ...NONE, kind: 'trial', plan: 'Trial', message: 'Soon.' }), 'Ada asks for a trial. “Soon.”');
});
