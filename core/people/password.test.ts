import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isFull } from '@partner-portal/tests/harness/full.ts';
import { dictionary } from '@zxcvbn-ts/language-common';
import { assessPassword, namesAround, passwordProblem } from './password.ts';

const codeOf = (password: string, email = 'maya.lindqvist@acme.test'): string | null => passwordProblem(password, email)?.code ?? null;

describe('a new password', () => {
  it('is refused outside 8 to 128 characters and accepted at both ends', () => {
    assert.equal(codeOf('kT9#vq2'), 'too_short');
    assert.equal(codeOf('kT9#vq2x'), null);
    assert.equal(codeOf('mB7 qx'.repeat(21) + 'yz'), null);
    assert.equal(codeOf('mB7 qx'.repeat(21) + 'xyz'), 'too_long');
  });

  it('is judged in the form in which it is compared: full-width letters are no other password', () => {
    assert.equal(codeOf('ｐａｓｓｗｏｒｄ１'), 'too_common');
    assert.equal(codeOf('e\u0301'.repeat(4) + 'ab'), 'too_short');
  });

  it('is refused when it is the address or its name', () => {
    for (const password of ['maya.lindqvist@acme.test', 'Maya.Lindqvist@ACME.test', 'maya.lindqvist', 'Maya.Lindqvist2026!']) {
      assert.equal(codeOf(password), 'is_address', password);
    }
    assert.equal(codeOf('maya keeps nine bees'), null);
  });

  const common = [
    'password',
    'Password1',
    'P@ssw0rd',
    'p4$$w0rd!',
    'Summer2026!',
    'iloveyou',
    'letmein123',
    'qwerty12345',
    'welcome1',
    'abc12345',
    '1q2w3e4r',
    'trustno1',
    'Dragon!!1',
    'changeme2025',
    'admin123',
  ];
  for (const password of common) {
    it(`is refused as common: ${password}`, () => assert.equal(codeOf(password), 'too_common'));
  }

  for (const password of ['12345678', '87654321', 'qwertyui', '11111111', 'sunflower9']) {
    it(`is refused as common in any pattern: ${password}`, () => assert.equal(codeOf(password), 'too_common'));
  }

  // Samples of both scores that are too low: 0, and 1 from abcabcabc1 on.
  for (const password of ['aaaaaaaa', 'abababab', 'abcdefgh', '12341234', 'monkeymonkey', 'abcabcabc1', '20022003', 'sdfghjkl']) {
    it(`is refused as simple: ${password}`, () => assert.equal(codeOf(password), 'too_simple'));
  }

  for (const password of ['four green sparrows', 'tK-82 vv ola', 'correct horse battery', 'Zu7hWq.pL', 'passwordless teapot']) {
    it(`is accepted: ${password}`, () => assert.equal(codeOf(password), null));
  }

  it('is judged with a score for the meter, harder to guess meaning more', () => {
    const scores = ['short', 'password', 'kT9#vq2x', 'Zu7hWq.pL', 'four green sparrows'].map(
      (password) => assessPassword(password, '').score,
    );
    assert.deepEqual(scores, [0, 0, 2, 3, 4]);
  });

  it('is refused when it is one of the 3,000 commonest of at least eight characters', () => {
    const commonest = dictionary['passwords-common'].map(String).filter((password) => password.length >= 8);
    assert.ok(commonest.length >= 3000);
    // Each takes the estimator some milliseconds, and a tenth of them shows it.
    const tried = commonest.slice(0, 3000).filter((_password, at) => isFull || at % 10 === 0);
    assert.deepEqual(
      tried.filter((password) => codeOf(password) === null),
      [],
    );
  });

  const names = namesAround('https://hub.example.com', ['Northwind & Söhne', 'Oak Street Dental', null]);
  const withNames = (password: string): string | null => passwordProblem(password, 'maya@acme.test', names)?.code ?? null;

  for (const password of [
    'Northwind',
    'N0rthw1nd!2026',
    'northwind-soehne'.replace('oe', 'ö'),
    'StreetDental#44',
    'myPortal$$99x',
    'example.2026.example',
  ])
    it(`is refused as a name that others know: ${password}`, () => {
      assert.equal(withNames(password), 'is_name');
    });

  for (const password of ['northwind keeps nine bees', 'Zu7hWq.pL', 'dental-quartz-lantern'])
    it(`is accepted with these names: ${password}`, () => assert.equal(withNames(password), null));

  it('is not refused for the names of others', () => {
    assert.equal(
      passwordProblem('StreetDental#44', 'maya@acme.test', namesAround('https://hub.example.com', ['Contoso']))?.code ?? null,
      null,
    );
  });

  it('gains nothing from the own address', () => {
    const strange = 'xkvaltoruma';
    assert.equal(assessPassword(strange, 'other@acme.test').problem, null);
    assert.notEqual(assessPassword(strange, `${strange}@acme.test`).problem, null);
  });
});
