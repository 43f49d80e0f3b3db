import assert from 'node:assert/strict';
import { it } from 'node:test';
import { LIMITS } from '@partner-portal/contract/vocabulary.ts';
import { messagesOf } from './ask-model.ts';

const visitor = (text: string) => ({ author: 'visitor' as const, text });
const lengthOf = (messages: readonly { content: string }[]): number => messages.reduce((sum, { content }) => sum + content.length, 0);

it('a conversation of texts that grow when they are quoted leaves room for what the chatbot knows', () => {
  const longest = '&'.repeat(LIMITS.visitorTextMax);
  const history = [...Array.from({ length: 19 }, () => visitor(longest)), visitor('When do you open?')];
  const messages = messagesOf(history);
  assert.ok(lengthOf(messages) < LIMITS.aiTextMax / 3);
  assert.match(messages.at(-1)?.content ?? '', /When do you open\?/);
  assert.equal(
    messagesOf(history.slice(-3))
      .map(({ content }) => content)
      .join('')
      .split('<visitor_message>').length - 1,
    3,
  );
  assert.equal(messagesOf([visitor('x'.repeat(100_000))]).length, 1);
  assert.deepEqual(messagesOf([]), []);
});
