import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { conversationSearch } from './search.ts';

describe('the words of a search of conversations', () => {
  const cases: [string, string | null][] = [
    ['opening hours', `'opening':* & 'hours':*`],
    ['  Öffnungszeiten?! ', `'offnungszeiten':*`],
    ['STRASSE Straße ¿Cuánto?', `'strasse':* & 'strasse':* & 'cuanto':*`],
    [`it's; drop & | ! :* ('x')`, `'it':* & 's' & 'drop':* & 'x'`],
    ['a b c d e f g h i j', `'a' & 'b' & 'c' & 'd' & 'e' & 'f' & 'g' & 'h'`],
    ['room 7 é 价', `'room':* & '7' & 'e' & '价':*`],
    ['\\', null],
    ['?!', null],
  ];
  for (const [text, words] of cases) {
    it(`are the letters and digits of ${JSON.stringify(text)}, nothing of a query language`, () => {
      assert.equal(conversationSearch(text)?.words ?? null, words);
    });
  }

  it('compare a label with the text as it is written', () => {
    assert.equal(conversationSearch('Visitor 50%_')?.label, 'visitor 50\\%\\_%');
  });
});
