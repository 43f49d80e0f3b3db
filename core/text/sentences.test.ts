import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sentencesOf } from './sentences.ts';

describe('the sentences of a text', () => {
  const cases: [text: string, sentences: string[]][] = [
    ['', []],
    ['We open at 9. Shall I book you in?', ['We open at 9.', 'Shall I book you in?']],
    ['From 9 a.m. to 5 p.m. Shall I book you in?', ['From 9 a.m. to 5 p.m.', 'Shall I book you in?']],
    ['He said “Gladly!” ¿Y el lunes?', ['He said “Gladly!”', '¿Y el lunes?']],
    ['We open at 9 😊 Which day?', ['We open at 9 😊', 'Which day?']],
    ['hello  \n\n when are you open', ['hello', 'when are you open']],
    ['Is 9 a.m. or 10 a.m. with Dr. Smith fine?', ['Is 9 a.m. or 10 a.m. with Dr. Smith fine?']],
    ['Passt Ihnen der 7. Dezember, z. B. um 10 Uhr?', ['Passt Ihnen der 7. Dezember, z. B. um 10 Uhr?']],
    ['月曜日です。何時ですか？', ['月曜日です。', '何時ですか？']],
    ['نعم. متى؟ غدا.', ['نعم.', 'متى؟', 'غدا.']],
  ];
  for (const [text, sentences] of cases) it(`of ${JSON.stringify(text)}`, () => assert.deepEqual(sentencesOf(text), sentences));

  it('are found in time that grows with it', { timeout: 5_000 }, () => {
    for (const text of [' '.repeat(20_000), '\n '.repeat(20_000), `a${'")'.repeat(20_000)}`, 'A. '.repeat(20_000)]) sentencesOf(text);
  });
});
