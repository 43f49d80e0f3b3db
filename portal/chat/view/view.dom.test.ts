import { fireEvent } from '../../testing/portal.ts';
import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { type ComponentChild, h, render } from 'preact';
import { reply } from '../../testing/service.ts';
import { NEW_THREAD } from '../thread.ts';

const [{ Composer }, { Log }, { PlainText, RichText }] = await Promise.all([
  import('./composer.tsx'),
  import('./log.tsx'),
  import('./text.tsx'),
]);

const box = document.createElement('div');
afterEach(() => {
  render(null, box);
  box.remove();
});
const show = (view: ComponentChild): HTMLElement => {
  document.body.append(box);
  render(view, box);
  return box;
};

function composer(sent: string[]): HTMLTextAreaElement {
  const input: { current: HTMLTextAreaElement | null } = { current: null };
  const props = { name: 'Mia', textMax: 100, draft: 'おはよう', isBusy: false, input, onDraft: () => undefined };
  show(h(Composer, { ...props, onSend: (text) => void sent.push(text) }));
  return input.current ?? assert.fail('There is no field.');
}

test('Enter that confirms a word of an input method sends nothing, also in Safari, which ends the word before the key', () => {
  const sent: string[] = [];
  const field = composer(sent);
  fireEvent.keyDown(field, { key: 'Enter', isComposing: true });
  fireEvent.keyDown(field, { key: 'Enter', keyCode: 229 });
  assert.deepEqual(sent, []);
  fireEvent.keyDown(field, { key: 'Enter', keyCode: 13 });
  assert.deepEqual(sent, ['おはよう']);
});

test('texts are laid out in the direction of their own script', () => {
  const { innerHTML } = show(h(RichText, { text: 'מתי?\n\n- 9:00 – 17:00\n- שבת' }));
  assert.deepEqual([...innerHTML.matchAll(/<(p|li)( dir="auto")?>/g)].map(([, name, dir]) => `${name}${dir}`), ['p', 'li', 'li'].map((name) => `${name} dir="auto"`)); // prettier-ignore
  assert.match(show(h(PlainText, { text: 'مفتوح؟' })).innerHTML, /<p dir="auto">/);
  assert.equal(composer([]).dir, 'auto');
});

test('a text that waits while the browser is online offers to try again, also once the stream is lost', () => {
  const outgoing = [{ clientMessageId: '1', text: 'Hi', state: 'waiting', problem: '' }] as const;
  const state = { thread: { ...NEW_THREAD, outgoing }, isLoading: false, isLost: true, isGone: false, isOpen: true, unread: 0 };
  const log = (isOnline: boolean) =>
    show(h(Log, { chatbot: reply('getPublicChatbot'), state, isOnline, onRetry: () => undefined })).textContent;
  assert.match(log(true), /Trying again.*Try again/);
  assert.match(log(false), /It is sent when you are online again\./);
});
