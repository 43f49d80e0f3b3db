import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { bestWords } from './best-words.ts';

const said = (id: string, rating: number, words: string) => ({ id, rating, words, customer: 'Ada' });

describe('the best words of a month', () => {
  it('are of the best rating, then the longest, then the newest', () => {
    const all = [
      said('1', 4, 'They were on time and left no dust behind.'),
      said('2', 5, 'Lovely people.'),
      said('3', 5, 'Kind and quick.'),
    ];
    assert.equal(bestWords(all)?.id, '3');
    assert.equal(bestWords([said('1', 5, 'Kind and quick.'), said('2', 5, 'Quick and kind.')])?.id, '2');
  });

  it('leave out what says little or would have to be cut, and are in one line', () => {
    assert.equal(bestWords([said('1', 5, 'Great'), said('2', 5, 'x'.repeat(241))]), null);
    assert.equal(bestWords([said('1', 5, ' They came\n on a  Sunday. ')])?.words, 'They came on a Sunday.');
    assert.equal(bestWords([]), null);
  });
});
