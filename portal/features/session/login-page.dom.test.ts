import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { hasZeroBits, workText } from '@partner-portal/core/people/proof-of-work.ts';
import { button, field, fill, holds, open, press, reads, screen, see, sessionOf } from '../../testing/portal.ts';
import { Refused } from '../../testing/service.ts';

for (const [person, home] of [
  ['staff', '/admin'],
  ['owner', '/dashboard'],
  ['client', '/client'],
] as const)
  test(`${person} lands on ${home} after the login`, async () => {
    const service = await open(undefined, '/login', { login: sessionOf(person) });
    await fill('E-mail', 'someone@northwind.example');
    await fill('Password', 'the right password');
    await press('Log in');
    await holds(() => assert.equal(location.pathname, home));
    assert.deepEqual(service.sent('login'), [{ email: 'someone@northwind.example', password: 'the right password' }]);
    assert.ok(!location.href.includes('token-of'));
  });

test('a page asked for without a session comes back after the login', async () => {
  await open(undefined, '/dashboard/runs', { login: sessionOf('owner') });
  await holds(() => assert.match(location.search, /next=/));
  await fill('E-mail', 'someone@northwind.example');
  await fill('Password', 'the right password');
  await press('Log in');
  await holds(() => assert.equal(location.pathname, '/dashboard/runs'));
});

test('a session that ended says so above the fields, and a page that was only opened does not', async () => {
  await open(undefined, '/login?next=%2Fdashboard%2Fruns&ended=unsaved');
  const email = await field('E-mail');
  const said = await screen.findByText('Your session ended.');
  assert.ok(said.compareDocumentPosition(email) & Node.DOCUMENT_POSITION_FOLLOWING);
  await see(/What was not saved is lost\./);
  await open(undefined, '/login?next=%2Fdashboard%2Fruns&ended=true');
  await see('Your session ended.');
  assert.equal(screen.queryByText(/What was not saved/), null);
  await open(undefined, '/dashboard/runs');
  await field('E-mail');
  assert.equal(screen.queryByText('Your session ended.'), null);
});

test('a wrong password is refused in words, and the form keeps what was typed', async () => {
  await open(undefined, '/login', {
    login: () => {
      throw new Refused('invalid_credentials');
    },
  });
  const email = await fill('E-mail', 'someone@northwind.example');
  const password = await fill('Password', 'not the password');
  await press('Log in');
  await see('Wrong e-mail or password.', await screen.findByRole('alert'));
  assert.equal(email.value, 'someone@northwind.example');
  await holds(() => assert.equal(document.activeElement, password));
});

test('a page of another role leads to the own home', async () => {
  await open('client', '/admin/partners');
  await holds(() => assert.equal(location.pathname, '/client'));
});

test('a login that is asked for a proof of work finds it by itself and goes on', async () => {
  const proofOfWork = { challenge: 'a.challenge.of-the-service', bits: 12 };
  const service = await open(undefined, '/login', {
    login: ({ body }) => {
      if (!body.proofOfWork) throw new Refused('rate_limited', { retryAfterSeconds: 900, proofOfWork });
      return sessionOf('owner');
    },
  });
  await fill('E-mail', 'someone@northwind.example');
  await fill('Password', 'the right password');
  await press('Log in');
  await holds(() => assert.equal(location.pathname, '/dashboard'));
  const { challenge = '', solution = '' } = service.sent('login')[1]?.proofOfWork ?? {};
  assert.equal(challenge, proofOfWork.challenge);
  assert.ok(hasZeroBits(createHash('sha256').update(workText(challenge, solution)).digest(), proofOfWork.bits));
});

test('a provider’s return address without a response redirects to the login', async () => {
  await open(undefined, '/login/callback');
  await button('Log in');
  await holds(() => assert.equal(location.pathname + location.search, '/login'));
});

test('a code of another person opens nothing and does not stay in the address', async () => {
  const service = await open(undefined, '/login/callback?code=a-code-that-was-never-given&returnTo=https%3A%2F%2Fevil.example%2F', {
    exchangeSsoCode: () => {
      throw new Refused('invalid_credentials');
    },
  });
  await reads(document.body, /This login took too long, or was already used\./);
  assert.equal(location.href, 'http://portal.test/login/callback');
  assert.deepEqual(service.sent('exchangeSsoCode'), [{ code: 'a-code-that-was-never-given' }]);
});
