import assert from 'node:assert/strict';
import { test } from 'node:test';
import { planRequestRoutes } from '@partner-portal/contract/routes/plan-requests.ts';
import { type Application, checkApplication, EMPTY, FIELD_NAMES, toBody, typedInto } from './application.ts';

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

test('an empty form reports the required fields only', () => {
  assert.deepEqual(Object.keys(checkApplication(EMPTY)).toSorted(), ['acceptTerms', 'companyName', 'email', 'fullName']);
});

test('values that pass the form are valid for the service', () => {
  for (const values of [FULL, { ...FULL, website: '', clients: '', message: ' ' }, { ...FULL, website: 'http://brightline.example' }]) {
    assert.deepEqual(checkApplication(values), {});
    assert.equal(planRequestRoutes.register.body.safeParse(toBody(values)).success, true);
    assert.equal(planRequestRoutes.registerTrial.body.safeParse(toBody(values)).success, true);
  }
});

test('adds a scheme to the website, strips separators from numbers and omits empty fields', () => {
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

test('reports an incomplete e-mail address, an invalid website and an invalid number at their fields', () => {
  const problems = checkApplication({ ...FULL, email: 'ana@brightline', website: 'ht tp://x', clients: 'a dozen' });
  assert.deepEqual(Object.keys(problems).toSorted(), ['clients', 'email', 'website']);
  assert.equal(Object.keys(checkApplication({ ...FULL, clients: '100001' })).join(), 'clients');
});

test('maps server field names to form fields', () => {
  assert.deepEqual(FIELD_NAMES, { expectedClients: 'clients' });
});

test('reads what was typed into the form before its script ran', () => {
  const form = new FormData();
  for (const [name, value] of [
    ['fullName', 'Ana Ortiz'],
    ['website', ''],
    ['acceptTerms', 'on'],
    ['plan', 'starter'],
  ] as const)
    form.set(name, value);
  assert.deepEqual(typedInto(form), { fullName: 'Ana Ortiz', acceptTerms: true });
});
