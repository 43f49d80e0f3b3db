import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tellWish, type Wish } from './tell-wish.ts';

const NONE: Wish = {
  kind: 'custom',
  applicant: 'Ada',
  plan: null,
  clients: null,
  seats: null,
  credits: null,
  features: 0,
  message: null,
};

test('a wish is told as a sentence with its numbers in groups, and their own words after it', () => {
  assert.equal(
    tellWish({ ...NONE, plan: 'Growth', clients: 1200, seats: 1, credits: 50_000, features: 2, message: ' We grow. ' }),
    'Ada asks for the Growth plan, 1,200 clients, 1 seat, 50,000 credits a month and 2 more features. “We grow.”',
  );
  assert.equal(tellWish({ ...NONE, clients: 120, credits: 0 }), 'Ada asks for 120 clients and 0 credits a month.');
});

test('whoever names nothing still asks for something', () => {
  assert.equal(tellWish({ ...NONE, message: '' }), 'Ada asks for other terms.');
  assert.equal(tellWish({ ...NONE, kind: 'signup' }), 'Ada asks for a plan.');
  assert.equal(tellWish({ ...NONE, kind: 'trial', plan: 'Trial', message: 'Soon.' }), 'Ada asks for a trial. “Soon.”');
});
