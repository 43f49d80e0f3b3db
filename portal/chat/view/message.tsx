/** @jsxImportSource preact */
import type { ComponentChildren } from 'preact';
import { language, t } from '../messages.ts';
import { PlainText, RichText } from './text.tsx';
import type { Outgoing } from '../thread.ts';
import type { Chatbot, Message } from '../wire.ts';

type Author = Message['author'];

/** The bubble of one message; `name` above it where another one begins to write. */
export function Bubble({ author, name, children }: { author: Author; name: string | null; children: ComponentChildren }) {
  return (
    <div class="message" data-author={author}>
      {name !== null && <p class={author === 'visitor' ? 'unseen' : 'author'}>{name}</p>}
      {children}
    </div>
  );
}

export function nameOf({ author, authorName }: Pick<Message, 'author' | 'authorName'>, chatbot: Chatbot): string {
  if (author === 'visitor') return t('chat.you');
  return author === 'human' ? authorName || chatbot.businessName : chatbot.name;
}

export function StoredMessage({ message, name, isTimed }: { message: Message; name: string | null; isTimed: boolean }) {
  const { author, text, sources, at } = message;
  return (
    <Bubble author={author} name={name}>
      <div class="bubble">{author === 'bot' ? <RichText text={text} /> : <PlainText text={text} />}</div>
      {sources.length > 0 && <Sources sources={sources} />}
      {isTimed && (
        <time class="at" dateTime={at}>
          {formatTime(at)}
        </time>
      )}
    </Bubble>
  );
}

/** What an answer stands on. */
function Sources({ sources }: { sources: Message['sources'] }) {
  const titles = [...new Set(sources.map(({ title }) => title))].join(', ');
  return (
    <details class="sources">
      <summary>{t('chat.sources', { titles })}</summary>
      {sources.map(({ title, excerpt }, index) => (
        <blockquote key={index} dir="auto">
          {sources.length > 1 && <cite>{title}</cite>}
          {excerpt}
        </blockquote>
      ))}
    </details>
  );
}

type UnsentProps = { outgoing: Outgoing; isOffline: boolean; onRetry: () => void };

/** A text that the server has not confirmed. */
export function UnsentMessage({ outgoing, isOffline, onRetry }: UnsentProps) {
  const { text, state, problem } = outgoing;
  const waiting = isOffline ? t('chat.unsent-offline') : problem || t('chat.unsent');
  return (
    <Bubble author="visitor" name={t('chat.you')}>
      <div class="bubble">
        <PlainText text={text} />
      </div>
      {state !== 'sending' && (
        <p class="problem" role="status" data-failed={state === 'failed' || undefined}>
          {state === 'failed' ? `${t('chat.unsent-failed')} ${problem}` : waiting}
          {!isOffline && (
            <>
              {' '}
              <button type="button" class="link" onClick={onRetry}>
                {t('chat.try-again')}
              </button>
            </>
          )}
        </p>
      )}
    </Bubble>
  );
}

/** "14:28" today, with the date otherwise. */
function formatTime(iso: string): string {
  const at = new Date(iso);
  const isToday = at.toDateString() === new Date().toDateString();
  const day = { day: 'numeric', month: 'short' } as const;
  return at.toLocaleString(language().tag, { hour: '2-digit', minute: '2-digit', ...(isToday ? {} : day) });
}
