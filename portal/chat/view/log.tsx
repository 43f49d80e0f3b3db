/** @jsxImportSource preact */
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { ChatState } from '../chat.ts';
import { t } from '../messages.ts';
import { RichText } from './text.tsx';
import { isAwaiting, isUnanswered, type Thread } from '../thread.ts';
import type { Chatbot, Message } from '../wire.ts';
import { Icon } from './icons.tsx';
import { Bubble, nameOf, StoredMessage, UnsentMessage } from './message.tsx';

/** Nearer to the end than this, the view stays at the end while the conversation grows. */
const AT_END_PX = 48;

type LogProps = { chatbot: Chatbot; state: ChatState; isOnline: boolean; onRetry: () => void };

/** The conversation. A reply that is being written is shown after the log and enters it when complete, so that screen readers speak it once. */
export function Log({ chatbot, state, isOnline, onRetry }: LogProps) {
  const { thread, isLoading, isLost } = state;
  const { messages, outgoing } = thread;
  const { box, isBehind, toEnd } = useEnd(messages.length + outgoing.length, outgoing.at(-1)?.clientMessageId);
  const unsent = outgoing.map((one) => <UnsentMessage key={one.clientMessageId} outgoing={one} isOffline={!isOnline} onRetry={onRetry} />);
  const isNext = isUnanswered(thread);
  return (
    <div class="log-box">
      <div class="log" ref={box} tabIndex={0} role="region" aria-label={t('chat.conversation')}>
        <div role="log" aria-live={isLoading ? 'off' : 'polite'} aria-relevant="additions" aria-busy={isLoading}>
          <Bubble author="bot" name={chatbot.name}>
            <div class="bubble">
              <RichText text={chatbot.greeting} />
            </div>
          </Bubble>
          {messages.map((message, index) => (
            <StoredMessage
              key={message.clientMessageId ?? message.id}
              message={message}
              name={isSame(messages[index - 1] ?? GREETING, message) ? null : nameOf(message, chatbot)}
              isTimed={isTimed(message, messages[index + 1])}
            />
          ))}
        </div>
        {!isNext && unsent}
        <Answer chatbot={chatbot} thread={thread} isOffline={!isOnline || isLost} />
        {isNext && unsent}
      </div>
      {isBehind && (
        <button type="button" class="to-end" onClick={toEnd}>
          <Icon name="down" /> {t('chat.new-messages')}
        </button>
      )}
    </div>
  );
}

const GREETING = { author: 'bot', authorName: '' } as const;
/** A pause before which a message shows its time. */
const PAUSE_MS = 5 * 60_000;

function isSame(a: Pick<Message, 'author' | 'authorName'>, b: Pick<Message, 'author' | 'authorName'> | undefined): boolean {
  return a.author === b?.author && a.authorName === b.authorName;
}

function isTimed(message: Message, next: Message | undefined): boolean {
  return next === undefined || Date.parse(next.at) - Date.parse(message.at) > PAUSE_MS;
}

type AnswerProps = { chatbot: Chatbot; thread: Thread; isOffline: boolean };

/** The answer as it is written; before that three dots, also while a person writes. */
function Answer({ chatbot, thread, isOffline }: AnswerProps) {
  const { answer, typing, humanName } = thread;
  const name = typing?.name || (typing?.author === 'human' && humanName) || chatbot.name;
  const isWriting = answer === null && (typing !== null || (isAwaiting(thread) && !isOffline));
  return (
    <>
      <div aria-hidden="true">
        {answer && (
          <Bubble author="bot" name={chatbot.name}>
            <div class="bubble">
              <RichText text={answer.text} />
            </div>
          </Bubble>
        )}
      </div>
      <div role="status" class="writing">
        {isWriting && (
          <>
            <p class="author">{name}</p>
            <div class="bubble">
              <span class="unseen">{t('chat.writing', { name })}</span>
              <i />
              <i />
              <i />
            </div>
          </>
        )}
      </div>
    </>
  );
}

/** Keeps the end in view while it is in view; `isBehind` once something arrived below a view that was scrolled up. */
function useEnd(count: number, ownId: string | undefined) {
  const box = useRef<HTMLDivElement>(null);
  const isAtEnd = useRef(true);
  const [isBehind, setBehind] = useState(false);
  const toEnd = (): void => {
    isAtEnd.current = true;
    box.current?.scrollTo({ top: box.current.scrollHeight });
    setBehind(false);
  };
  // Scrolls to every message that the visitor sends.
  useLayoutEffect(() => {
    if (ownId !== undefined) toEnd();
  }, [ownId]);
  useLayoutEffect(() => {
    if (!isAtEnd.current) setBehind(true);
  }, [count]);
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return;
    const look = (): void => {
      isAtEnd.current = element.scrollHeight - element.scrollTop - element.clientHeight < AT_END_PX;
      if (isAtEnd.current) setBehind(false);
    };
    const keep = (): void => {
      if (isAtEnd.current) element.scrollTop = element.scrollHeight;
    };
    element.addEventListener('scroll', look, { passive: true });
    const sizes = new ResizeObserver(keep);
    sizes.observe(element);
    for (const child of element.children) sizes.observe(child);
    const children = new MutationObserver(() => {
      for (const child of element.children) sizes.observe(child);
      keep();
    });
    children.observe(element, { childList: true, subtree: true, characterData: true });
    keep();
    return () => {
      element.removeEventListener('scroll', look);
      sizes.disconnect();
      children.disconnect();
    };
  }, []);
  return { box, isBehind, toEnd };
}
