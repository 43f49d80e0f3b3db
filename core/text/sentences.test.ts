import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sentencesOf, wholeSentencesOf } from './sentences.ts';

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

describe('a text that breaks off', () => {
  const cases: [text: string, whole: string][] = [
    ['Whitening costs 250 dollars. A crown costs 1', 'Whitening costs 250 dollars.'],
    ['Reinigung 80 €\nKrone ab 1.', 'Reinigung 80 €'],
    ['Our prices:\n1. Cleaning 80\n2. Crown from', 'Our prices:\n1. Cleaning 80'],
    ['Our prices:\n- Cleaning 80\n- Crown', 'Our prices:\n- Cleaning 80'],
    ['सफाई 80 रुपये है। क्राउन की की', 'सफाई 80 रुपये है।'],
    ['A cleaning is 80. We open at nine.', 'A cleaning is 80. We open at nine.'],
    ['We have many prices and one of them is 12', 'We have many prices and one of them is…'],
    ['ราคา', 'ราคา…'],
    ['', ''],
  ];
  for (const [text, whole] of cases)
    it(`is ${JSON.stringify(whole)} of ${JSON.stringify(text)}`, () => assert.equal(wholeSentencesOf(text), whole));
});
