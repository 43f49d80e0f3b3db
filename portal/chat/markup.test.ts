import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { linkAddresses, readMarkup } from './markup.ts';

const shape = (text: string): string[] => readMarkup(text).map(({ kind, lines }) => `${kind} ${lines.length}`);
const parts = (text: string): string[] =>
  readMarkup(text).flatMap(({ lines }) =>
    lines
      .flatMap((line) => line.parts)
      .map((part) => (part.kind === 'link' ? `link ${part.text} ${part.href}` : `${part.kind} ${part.text}`)),
  );

describe('the text of an answer', () => {
  it('falls into paragraphs and lists', () => {
    assert.deepEqual(shape('We are open:\n\n- Monday\n- Tuesday\n\n1. Call\n\n2. Come\n\nSee you\nsoon'), [
      'text 1',
      'bullets 2',
      'numbers 2',
      'text 2',
    ]);
  });

  it('keeps the numbers of a list as they are written: they may be days or floors', () => {
    const numbers = (text: string) => readMarkup(text).flatMap(({ lines }) => lines.map(({ number }) => number));
    assert.deepEqual(numbers('Closed on:\n24. Dezember\n25) Dezember\n31. Dezember'), [null, 24, 25, 31]);
    assert.deepEqual(numbers('2. Stock, links'), [2]);
    assert.deepEqual(numbers('1. Book\nYou need an account.\n2. Pay\n- 3 ways'), [1, null, 2, null]);
  });

  it('has bold words, code, and its headings as words', () => {
    assert.deepEqual(parts('## Hours\n**Monday** by `code`'), ['text Hours', 'strong Monday', 'text  by ', 'code code']);
  });

  it('links web and mail addresses, without the full stop behind them', () => {
    assert.deepEqual(parts('See https://www.oak.example/book. Or a.b@oak.example, today'), [
      'text See ',
      'link oak.example/book https://www.oak.example/book',
      'text . Or ',
      'link a.b@oak.example mailto:a.b@oak.example',
      'text , today',
    ]);
  });

  it('links an address whole that has parentheses of its own, without one that is opened before it', () => {
    const link = 'link en.example/Bank_(money) https://en.example/Bank_(money)';
    assert.deepEqual(parts('See https://en.example/Bank_(money).'), ['text See ', link, 'text .']);
    assert.deepEqual(parts('(see https://en.example/Bank_(money))'), ['text (see ', link, 'text )']);
    assert.deepEqual(parts('[bank](https://en.example/Bank_(money))'), ['text bank: ', link]);
    assert.deepEqual(parts('(https://en.example/a)'), ['text (', 'link en.example/a https://en.example/a', 'text )']);
  });

  it('shows the target of a link, regardless of its text', () => {
    assert.deepEqual(parts('[your bank](https://evil.example/x)'), ['text your bank: ', 'link evil.example/x https://evil.example/x']);
    assert.deepEqual(parts('[bank.example](https://evil.example)'), ['text bank.example: ', 'link evil.example https://evil.example']);
  });

  it('makes no link of anything but the web and mail, and no element of HTML', () => {
    const hostile = '[x](javascript:alert(1)) <img src=x onerror=alert(1)> data:text/html,x';
    assert.deepEqual(parts(hostile), [`text ${hostile}`]);
    assert.deepEqual(linkAddresses('javascript:alert(1)'), [{ kind: 'text', text: 'javascript:alert(1)' }]);
  });

  it('keeps an unfinished mark as it is written', () => {
    assert.deepEqual(parts('Open **Mon'), ['text Open **Mon']);
  });
});
