import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Answer, createAnswerFilter, readAnswer } from './answer.ts';

const read = (text: string, offered: number): Answer => readAnswer({ text, finishReason: 'stop' }, offered);

const cases: [name: string, written: string, offered: number, expected: object][] = [
  [
    'numbers of passages are read and taken out',
    'Open until six [1]. Sundays closed [2, 1].',
    2,
    { text: 'Open until six. Sundays closed.', cited: [1, 2], isUnsure: false },
  ],
  ['a number that was not offered counts for nothing', 'Open [7]. [1]', 2, { text: 'Open.', cited: [1], isUnsure: false }],
  [
    'a statement that cites none of the passages is not known',
    'We open at nine.',
    2,
    { text: 'We open at nine.', cited: [], isUnsure: true, isUnfounded: true },
  ],
  [
    'neither is one with the number of a passage that was not offered',
    'Open [7].',
    2,
    { text: 'Open.', cited: [], isUnsure: true, isUnfounded: true },
  ],
  [
    'beside passages a greeting and a question need none',
    '[chat] You are welcome!',
    2,
    { text: 'You are welcome!', cited: [], isUnsure: false },
  ],
  ['a question back beside passages', 'Which day suits you?', 2, { text: 'Which day suits you?', cited: [], isUnsure: false }],
  ['the mark of not knowing is read', 'I do not know that. [unsure]', 3, { text: 'I do not know that.', cited: [], isUnsure: true }],
  [
    'a statement that nothing was found for is not known',
    'We are open all night.',
    0,
    { text: 'We are open all night.', cited: [], isUnsure: true, isUnfounded: true },
  ],
  [
    'neither is one that cites what was not offered',
    'We are open all night [1].',
    0,
    { text: 'We are open all night.', cited: [], isUnsure: true, isUnfounded: true },
  ],
  ['a greeting needs no passage', '[chat] Good morning!', 0, { text: 'Good morning!', cited: [], isUnsure: false }],
  ['a question back needs no passage', 'Which day suits you?', 0, { text: 'Which day suits you?', cited: [], isUnsure: false }],
  ...(
    [
      ['a statement before a question back is dropped', 'We are open on Sundays from 9 to 5. Shall I book you in?', 'Shall I book you in?'],
      [
        'so is one in a line of its own, and one between two questions',
        'Which day? We open at nine\nShall I book you in?',
        'Which day? Shall I book you in?',
      ],
      ['a yes before a question back is a statement', 'Yes, gladly! Shall I book you in?', 'Shall I book you in?'],
      ['a polite sentence before a question', 'I can help you book an appointment. Which day suits you?', 'Which day suits you?'],
      ['one in German', 'Gerne helfe ich Ihnen dabei. Für welchen Tag?', 'Für welchen Tag?'],
      ['one in Spanish', 'Claro, le ayudo con eso. ¿Qué día le viene bien?', '¿Qué día le viene bien?'],
    ] as const
  ).flatMap(([name, written, questions]): typeof cases =>
    [0, 2].map((offered) => [
      `${name} (${offered} passages)`,
      written,
      offered,
      { text: written, cited: [], isUnsure: false, isUnfounded: true, questions },
    ]),
  ),
  [
    'a long text that states much is not known, also with a question at its end',
    `${'We are open on Sundays. '.repeat(11)}Shall I book you in?`,
    2,
    { text: `${'We are open on Sundays. '.repeat(11)}Shall I book you in?`, cited: [], isUnsure: true, isUnfounded: true },
  ],
  [
    'a question of a text that says it does not know makes it no better known',
    'I do not know that. Shall I ask? [unsure]',
    2,
    { text: 'I do not know that. Shall I ask?', cited: [], isUnsure: true },
  ],
  [
    'a word or two before questions back state nothing',
    'Gladly! Which day suits you? Is 10 a.m. with Dr. Hill fine 🙂?',
    0,
    { text: 'Gladly! Which day suits you? Is 10 a.m. with Dr. Hill fine 🙂?', cited: [], isUnsure: false },
  ],
  ['an empty reply is no answer', ' [1] ', 1, { text: '', cited: [1], isUnsure: true }],
  [
    'a number behind another bracket is read, and the bracket stays',
    'See [our site [1]',
    1,
    { text: 'See [our site', cited: [1], isUnsure: false },
  ],
  [
    'a character that cannot be stored is left out',
    'We open\u0000 at nine [1].',
    1,
    { text: 'We open at nine.', cited: [1], isUnsure: false },
  ],
  ['other brackets stay', '[chat] See [our site] or [a', 1, { text: 'See [our site] or [a', cited: [], isUnsure: false }],
];

describe('readAnswer', () => {
  for (const [name, written, offered, expected] of cases)
    it(name, () => assert.deepEqual(read(written, offered), { isUnfounded: false, questions: '', isCut: false, ...expected }));
});

it('a reply that breaks off ends with its last whole sentence, and keeps what it stands on', () => {
  const answer = readAnswer({ text: 'Whitening costs 250 dollars. [1] A crown costs 1', finishReason: 'length' }, 1);
  assert.deepEqual(answer, {
    text: 'Whitening costs 250 dollars.',
    cited: [1],
    isUnsure: false,
    isUnfounded: false,
    questions: '',
    isCut: true,
  });
});

it('a reply that the model refused is none', () => {
  const answer = readAnswer({ text: 'I can’t help with that [1].', finishReason: 'refused' }, 1);
  assert.deepEqual([answer.text, answer.isUnsure], ['', true]);
});

it('the streamed text is the stored text, however the reply is cut', () => {
  for (const [, written, offered] of cases) {
    for (let size = 1; size <= written.length; size += 1) {
      const filter = createAnswerFilter();
      let streamed = '';
      for (let at = 0; at < written.length; at += size) streamed += filter.push(written.slice(at, at + size));
      streamed += filter.end();
      assert.equal(streamed.trim(), read(written, offered).text, `${written} in pieces of ${size}`);
    }
  }
});

describe('a reply that is no sentence is read once, however long it is', () => {
  const hostile: [name: string, written: string][] = [
    ['blanks', `a${' '.repeat(400_000)}b`],
    ['open brackets', '['.repeat(400_000)],
    ['open brackets, closed at last', `${'['.repeat(400_000)}]`],
  ];
  for (const [name, written] of hostile)
    it(name, { timeout: 5_000 }, () => {
      assert.equal(read(written, 0).isUnsure, true);
      const filter = createAnswerFilter();
      for (let at = 0; at < written.length; at += 40_000) filter.push(written.slice(at, at + 40_000));
      filter.end();
    });
});
