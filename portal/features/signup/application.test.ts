import assert from 'node:assert/strict';
import { test } from 'node:test';
import { planRequestRoutes } from '@partner-portal/contract/routes/plan-requests.ts';
import { type Application, checkApplication, EMPTY, fieldOf, toBody } from './application.ts';

const FULL: Application = {
  fullName: ' Ana Ortiz ',
  email: 'ana@brightline.example',
  companyName: 'Brightline Media',
  website: 'brightline.example/work',
  clients: '1,200',
  message: 'Mostly dentists.',
  acceptTerms: true,
  newsletter: true,
};

test('an empty form names each field that is needed, and no other', () => {
  assert.deepEqual(Object.keys(checkApplication(EMPTY)).toSorted(), ['acceptTerms', 'companyName', 'email', 'fullName']);
});

test('what the form lets through, the service takes', () => {
  for (const values of [FULL, { ...FULL, website: '', clients: '', message: ' ' }, { ...FULL, website: 'http://brightline.example' }]) {
    assert.deepEqual(checkApplication(values), {});
    assert.equal(planRequestRoutes.register.body.safeParse(toBody(values)).success, true);
    assert.equal(planRequestRoutes.registerTrial.body.safeParse(toBody(values)).success, true);
  }
});

test('an address of a website gets its scheme, a number loses its commas, and what is empty stays out', () => {
  const body = toBody(FULL);
  assert.equal(body.website, 'https://brightline.example/work');
  assert.equal(body.expectedClients, 1200);
  assert.equal(body.fullName, 'Ana Ortiz');
  assert.deepEqual(Object.keys(toBody({ ...FULL, website: ' ', clients: '', message: '' })).toSorted(), [
    'acceptTerms',
    'companyName',
    'email',
    'fullName',
    'newsletter',
  ]);
});

test('half an address, a site that is none and a number that is none are told where they stand', () => {
  const problems = checkApplication({ ...FULL, email: 'ana@brightline', website: 'ht tp://x', clients: 'a dozen' });
  assert.deepEqual(Object.keys(problems).toSorted(), ['clients', 'email', 'website']);
  assert.equal(Object.keys(checkApplication({ ...FULL, clients: '100001' })).join(), 'clients');
});

test('a refusal of the service lands beside the field of the form', () => {
  assert.equal(fieldOf('expectedClients'), 'clients');
  assert.equal(fieldOf('email'), 'email');
});
