import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { mostTokens } from '../quota/credits.ts';
import { cutToTokens, fitHistory, fitPassages, HISTORY_TOKENS_MAX } from './prompt-size.ts';

const texts = (contents: string[]) => contents.map((content) => ({ content }));
const CHARACTERS = ['a', '&', '字', '😀', '\uD800'];

describe('the history that a model reads', () => {
  it('fits its tokens, whatever was written, and ends with the newest message', () => {
    for (const character of CHARACTERS) {
      const written = texts([...Array.from({ length: 19 }, () => character.repeat(2_000)), 'When do you open?']);
      const kept = fitHistory(written);
      assert.ok(mostTokens(kept.map(({ content }) => content)) <= HISTORY_TOKENS_MAX, character);
      assert.deepEqual(kept, written.slice(-kept.length));
      assert.ok(kept.length >= 1);
    }
  });

  it('is whole when it is short', () => {
    const written = texts(['Hello!', 'How can I help?', 'When do you open?']);
    assert.deepEqual(fitHistory(written), written);
    assert.deepEqual(fitHistory([]), []);
  });

  it('is the beginning of the newest message when that is too long by itself', () => {
    for (const character of CHARACTERS) {
      const [kept, ...others] = fitHistory(texts(['before', character.repeat(100_000)]));
      assert.deepEqual(others, []);
      assert.ok(kept && kept.content.length > 1_000 && mostTokens([kept.content]) <= HISTORY_TOKENS_MAX, character);
    }
  });
});

it('passages are dropped from the last, which fits a question least', () => {
  const passage = (content: string) => ({ title: 'T', heading: 'H', content });
  const short = passage('Open nine to six.');
  assert.deepEqual(fitPassages([short, passage('字'.repeat(5_000)), short]), [short]);
  assert.deepEqual(fitPassages([short, short]), [short, short]);
});

it('a text is cut to its tokens between two characters', () => {
  assert.deepEqual([cutToTokens('short', 100), cutToTokens('short', 7), cutToTokens('short', 0)], ['short', 'sho', '']);
  for (const most of [8, 11, 12, 15]) {
    const cut = cutToTokens('😀'.repeat(50), most);
    assert.ok(mostTokens([cut]) <= most && cut.isWellFormed(), `${most}: ${cut}`);
  }
});
