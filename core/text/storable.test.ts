import assert from 'node:assert/strict';
import { it } from 'node:test';
import { storableText } from './storable.ts';

it('removes NUL, replaces half of a pair of surrogates and leaves the rest of a text', () => {
  assert.equal(storableText('a\u0000b\uD83D'), 'ab\uFFFD');
  assert.equal(storableText(' Müller 😀\n'), ' Müller 😀\n');
});
