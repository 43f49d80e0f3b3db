import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DEPTH_MAX, PARTS_MAX, scanJson } from './scan-json.ts';

const scan = (text: string, options: Partial<Parameters<typeof scanJson>[1]> = {}) =>
  scanJson(Buffer.from(text), { anyText: false, ...options });
const nested = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);

describe('the bytes of a JSON text', () => {
  const ACCEPTED: [string, string][] = [
    ['plain members', '{"a":1,"b":[true,null,{"c":"x"}]}'],
    ['a text with everything a text may hold', JSON.stringify({ a: '"\\/\n\u0001 [{,}] é \u{1F600}', '"key"': '\\' })],
    ['a paired surrogate written as escapes', '{"a":"\\ud83d\\uDE00"}'],
    ['an escaped backslash before u0000', '{"a":"\\\\u0000"}'],
    ['braces within texts', `{"a":"${'[{'.repeat(500)}"}`],
    ['the greatest depth', nested(DEPTH_MAX)],
    ['the greatest number of parts', `[${'1,'.repeat(PARTS_MAX - 1)}1]`],
    ['the name as a value', '{"a":"__proto__","b":["__proto__"]}'],
    ['a name that only begins alike', '{"__proto__x":1}'],
  ];
  for (const [what, text] of ACCEPTED) {
    it(`with ${what} have no problem`, () => assert.equal(scan(text).problem, null));
  }

  const REFUSED: [string, string, string, string][] = [
    ['NUL in a value', '{"a":{"b":["x","y\\u0000"]}}', 'invalid_characters', 'a.b.1'],
    ['NUL in a key', '{"a":{"k\\u0000y":1}}', 'invalid_characters', 'a.ky'],
    ['a lone high surrogate', '{"a":"\\ud83d"}', 'invalid_characters', 'a'],
    ['a lone low surrogate', '{"a":1,"b":"x\\uDE00"}', 'invalid_characters', 'b'],
    ['two high surrogates', '{"a":"\\ud83d\\ud83d\\ude00"}', 'invalid_characters', 'a'],
    ['one level too many', `{"x":${nested(DEPTH_MAX)}}`, 'too_deep', 'x.0.0.0.0'],
    ['one part too many', `[${'1,'.repeat(PARTS_MAX)}1]`, 'too_many_parts', String(PARTS_MAX)],
    ['a prototype', '{"a":{"__proto__":{}}}', 'prototype', 'a.__proto__'],
    ['a prototype in escapes', '{"\\u005f_proto\\u005F_":{}}', 'prototype', '__proto__'],
  ];
  for (const [what, text, code, path] of REFUSED) {
    it(`with ${what} are refused as ${code}, with the place`, () => assert.deepEqual(scan(text).problem, { code, path }));
  }

  it('may hold any text where it is asked for, at any depth that is allowed', () => {
    assert.equal(scan('{"a":"\\u0000\\ud83d"}', { anyText: true }).problem, null);
    assert.equal(scan(nested(DEPTH_MAX + 1), { anyText: true }).problem?.code, 'too_deep');
  });

  it('that are no JSON are left to the parser', () => {
    for (const text of ['', ']]]', '{"a":', '"open', '{"a":"\\', '"\\u00', '{,}', '\uFEFF{}']) assert.equal(scan(text).problem, null, text);
  });
});

describe('a member of the outermost object', () => {
  const member = (text: string): string | null => scan(text, { member: 'id' }).member;
  it('is found wherever it stands, the last one if it is repeated', () => {
    assert.equal(member('{"id":"one"}'), 'one');
    assert.equal(member('{ "a" : [{"id":"inner"}], "b":{"id":"inner"}, "\\u0069d" : "o\\u006ee" , "c":"id"}'), 'one');
    assert.equal(member('{"id":"one","id":"two"}'), 'two');
    assert.equal(member('{"id":"one","id":2}'), null);
  });

  it('is none where it is missing, inner or no text', () => {
    for (const text of [
      '{}',
      '{"id":7}',
      '{"id":["x"]}',
      '{"id":{"id":"x"}}',
      '[{"id":"x"}]',
      '["id","x"]',
      '"id"',
      '{"a":"id","b":"x"}',
    ]) {
      assert.equal(member(text), null, text);
    }
  });

  it('is what the parser finds', () => {
    for (const text of ['{"id":"a\\n\\"b"}', '{"x":{"id":"1"},"id":"2"}', '{"id":"1","x":[[["id","3"]]]}']) {
      assert.equal(member(text), (JSON.parse(text) as { id: string }).id); // texts of this test
    }
  });
});
