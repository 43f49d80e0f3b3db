import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { initialOf, installToken, partnerOfInstallToken } from './install.ts';

const ID = '0198c2f4-7a10-7c3e-9b52-4f1d2a6e8c01';

describe('the token of an installed portal', () => {
  it('names its agency to who has the secret, and no other', () => {
    const token = installToken('secret', ID);
    assert.equal(partnerOfInstallToken('secret', token), ID);
    for (const other of [installToken('another', ID), token.replace('0198', '0199'), `${token}a`, token.slice(0, -1), ID, ''])
      assert.equal(partnerOfInstallToken('secret', other), null, other);
  });
});

describe('the initial of a name', () => {
  for (const [name, initial] of [
    [' northwind Studio', 'N'],
    ['Ökonom', 'Ö'],
    ['👩‍🔧 Werkstatt', '👩‍🔧'],
    ['', '?'],
  ] as const)
    it(`of “${name}” is ${initial}`, () => assert.equal(initialOf(name), initial));
});
