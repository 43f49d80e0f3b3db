import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { withDomains } from './domains.ts';

describe('e-mail domains', () => {
  it('are parsed from commas, spaces, capitals and whole addresses', () => {
    assert.deepEqual(withDomains(['a.example'], 'B.example, maya@c.example;a.example').domains, ['a.example', 'b.example', 'c.example']);
  });

  it('report an invalid domain and keep the valid ones', () => {
    assert.deepEqual(withDomains([], 'good.example localhost'), { domains: ['good.example'], bad: 'localhost' });
  });

  it('are limited to twenty', () => {
    const many = Array.from({ length: 25 }, (_, at) => `d${at}.example`).join(' ');
    assert.equal(withDomains([], many).domains.length, 20);
  });
});
