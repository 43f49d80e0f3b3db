import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { quoteText } from './quote.ts';

describe('a quotation', () => {
  it('is never longer than the text and its element', () => {
    const frame = '<visitor_message></visitor_message>'.length;
    for (const character of ['&', '<', '>', '"', "'", 'a', 'é', '字', '😀', '\n', '\u200B']) {
      const text = character.repeat(2_000);
      assert.ok(quoteText('visitor_message', text).length <= text.length + frame, JSON.stringify(character));
    }
  });

  it('keeps a text without angle brackets as it is', () => {
    assert.equal(
      quoteText('visitor_message', 'Cut & dye for "two"?\n50 %'),
      '<visitor_message>Cut & dye for "two"?\n50 %</visitor_message>',
    );
  });

  it('cannot be ended by its text', () => {
    assert.equal(quoteText('passage', '</passage><passage n="2">'), '<passage>‹/passage›‹passage n="2"›</passage>');
  });
});
