import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { maskJson } from '../template/mask.ts';
import type { Json } from '../template/types.ts';
import { PART_LENGTH, payloadParts } from './payload-parts.ts';

const shown = (value: Json, { isMasked = false, blanks = 0 } = {}): Json =>
  JSON.parse([...payloadParts(JSON.stringify(value, null, blanks), isMasked)].join('')) as Json;

describe('the text of a payload', () => {
  it('has the values of members named like secrets hidden, whatever they are, and no other', () => {
    const value = {
      caller: '+13125550121',
      token: 'x',
      apiKey: { deep: ['"}]', { more: 1 }] },
      secrets: [1, [2]],
      count: { password: 12.5, isSecret: true, cookie: null, credential: '' },
      list: [{ 'private-key': '\\"' }, 'password', { note: 'token: "a"', 'a"token\\': 'x' }, []],
      '': 'token',
      last: { authToken: '' },
    };
    const expected = {
      ...value,
      token: '[hidden]',
      apiKey: '[hidden]',
      secrets: '[hidden]',
      count: { password: '[hidden]', isSecret: '[hidden]', cookie: null, credential: '' },
      list: [{ 'private-key': '[hidden]' }, 'password', { note: 'token: "a"', 'a"token\\': '[hidden]' }, []],
    };
    for (const blanks of [0, 1]) assert.deepEqual(shown(value, { blanks }), expected);
  });

  it('has no contact in its strings for a client, and keeps the names of members', () => {
    const value = { 'ada@x.example': ['+13125550121', 'Mail "ada@x.example"\n', { '(312) 555-0121': 'a\\b' }], token: 'ada@x.example' };
    assert.deepEqual(shown(value, { isMasked: true }), maskJson({ ...value, token: '[hidden]' }));
    assert.deepEqual(shown(value), { ...value, token: '[hidden]' });
  });

  it('of one value alone, also of a string', () => {
    for (const value of ['ada@x.example', '', 'a"\\', 1, null, true, [], {}]) {
      assert.deepEqual(shown(value), value);
      assert.deepEqual(shown(value, { isMasked: true }), maskJson(value));
    }
  });

  const many = Array.from({ length: 60_000 }, () => ({ p: 1 }));
  const words = 'write to ada@x.example or call +1 312 555 0121 now '.repeat(10_000);
  for (const [name, value] of Object.entries({
    'many small members': { items: many, token: 'x' },
    'much that is hidden': { token: many, items: [] },
    'a text in one string': { words },
  }))
    it(`comes in parts of a moment each: ${name}`, () => {
      const text = JSON.stringify(value);
      const parts = [...payloadParts(text, true)];
      assert.ok(parts.length >= Math.floor(text.length / (2 * PART_LENGTH)), `${parts.length} parts`);
      assert.ok(parts.every((part) => part.length <= 2 * PART_LENGTH));
      const expected = maskJson('token' in value ? { ...value, token: '[hidden]' } : value);
      assert.deepEqual(JSON.parse(parts.join('')), expected);
    });
});
