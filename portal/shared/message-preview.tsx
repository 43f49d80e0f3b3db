import { countSegments } from '@partner-portal/core/contact/segments.ts';
import { Avatar } from '../ui/identity/marks.tsx';
import './message-bubble.css';
import './message-preview.css';

type PreviewProps = {
  from: string;
  number?: string;
  before?: string;
  text: string;
  after?: string;
  /** As low as the text lets it be. */ compact?: boolean;
};

/** The message as the recipient's phone shows it, with variables filled in. */
export function MessagePreview({ from, number, before, text, after, compact }: PreviewProps) {
  return (
    <div className="message-preview" data-compact={compact ? '' : undefined} aria-live="polite">
      <div>
        <div className="flex flex-col items-center border-b border-line-soft pb-3">
          <Avatar name={from} className="mb-1 !size-7.5" />
          {number ? <b>{number}</b> : null}
          <span className="max-w-full text-center text-xs text-ink-3">{from}</span>
        </div>
        {before ? <p className="pt-2.5 pb-2 text-center text-2xs text-ink-3">{before}</p> : null}
        <p className="message-bubble mt-1">{text ? linkify(text) : <span className="text-ink-3">Nothing is sent</span>}</p>
        {after ? <p className="p-1 text-2xs text-ink-3">{after}</p> : null}
      </div>
    </div>
  );
}

function linkify(text: string) {
  return text.split(/(https?:\/\/\S+)/).map((part, at) =>
    at % 2 ? (
      <u key={at} className="text-accent underline-offset-2">
        {part}
      </u>
    ) : (
      part
    ),
  );
}

/** Returns how a text message is billed: its characters and its number of parts. */
export function countTexts(text: string): { characters: number; parts: number } {
  return { characters: [...text].length, parts: text === '' ? 0 : countSegments(text) };
}
