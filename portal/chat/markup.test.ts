import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { linkAddresses, readMarkup } from './markup.ts';

const shape = (text: string): string[] => readMarkup(text).map(({ kind, lines }) => `${kind} ${lines.length}`);
const parts = (text: string): string[] =>
  readMarkup(text).flatMap(({ lines }) =>
    lines.flat().map((part) => (part.kind === 'link' ? `link ${part.text} ${part.href}` : `${part.kind} ${part.text}`)),
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
