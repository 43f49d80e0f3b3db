import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { cleanKey, keyFault, sendableKey } from './key-text.ts';

describe('a pasted key', () => {
  it('loses the space around it and what no one sees, and nothing else', () => {
    for (const text of [
      ' sk-abc\n',
      '\ufeffsk-abc',
      'sk-\u200babc',
      'sk\u00ad-abc\u2060',
      '\u202ask-abc\u202c',
      '\u00a0sk-abc\u3000',
      'sk-abc\ufe0f',
    ])
      assert.equal(cleanKey(text), 'sk-abc', JSON.stringify(text));
    for (const text of ['sk-“abc”', 'sk–abc', 'ｓｋ-abc', 'sk-abс']) assert.equal(cleanKey(text), text);
  });

  const faults: [string, string][] = [
    ['sk-proj-abc“', 'Character 12 is a curly quote.'],
    ['sk’abc', 'Character 3 is a curly quote.'],
    ['sk–abc', 'Character 3 is an en dash.'],
    ['sk—abc', 'Character 3 is an em dash.'],
    ['sk\u2011abc', 'Character 3 is a dash that is no hyphen.'],
    ['sk-ab\ncd', 'Character 6 is a line break.'],
    ['sk-ab\tcd', 'Character 6 is a tab.'],
    ['sk-ab cd', 'Character 6 is a space.'],
    ['sk-ab\u00a0cd', 'Character 6 is a space.'],
    ['sk-ab\u0007cd', 'Character 6 is a control character.'],
    ['sk-…', 'Character 4 is an ellipsis.'],
    ['sk-abс', 'Character 6 is “с” (U+0441), which is no plain letter, digit or sign.'],
    ['😀sk…', 'Character 1 is “😀” (U+1F600), which is no plain letter, digit or sign.'],
    ['sk\u200b', 'Character 3 is invisible.'],
  ];
  for (const [text, fault] of faults) it(`is refused with the position: ${fault}`, () => assert.equal(keyFault(text), fault));

  it('is accepted with every sign of ASCII', () => {
    const signs = Array.from({ length: 94 }, (_, n) => String.fromCharCode(33 + n)).join('');
    assert.equal(keyFault(signs), null);
    assert.equal(sendableKey(signs), signs);
  });

  it('that was stored with such a character can be sent, and is refused by its provider', () => {
    assert.equal(sendableKey('sk-“abc”\u200b'), 'sk-?abc?');
    assert.equal(sendableKey('\ufeffsk-abc'), 'sk-abc');
  });
});
