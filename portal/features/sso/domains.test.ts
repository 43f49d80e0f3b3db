import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { withDomains } from './domains.ts';

describe('e-mail domains', () => {
  it('are taken from what people paste: commas, spaces, capitals, whole addresses', () => {
    assert.deepEqual(withDomains(['a.example'], 'B.example, maya@c.example;a.example').domains, ['a.example', 'b.example', 'c.example']);
  });

  it('name the word that is none, and keep the rest', () => {
    assert.deepEqual(withDomains([], 'good.example localhost'), { domains: ['good.example'], bad: 'localhost' });
  });

  it('are twenty at most', () => {
    const many = Array.from({ length: 25 }, (_, at) => `d${at}.example`).join(' ');
    assert.equal(withDomains([], many).domains.length, 20);
  });
});
