import './inbox.css';
import { formatAge, formatDay, formatMinute, isSameDay } from '../../ui/text/format.ts';
import { Mark } from '../../ui/feedback/mark.tsx';
import type { Conversation, InboxSearch } from '../../queries/inbox.ts';
import { ConversationLink, useArea } from './area.tsx';
import { stateOf } from './labels.ts';
import { useShortLived } from './live-state.ts';

const AUTHORS = { visitor: '', bot: 'Chatbot: ', human: 'Reply: ' } as const;

/** One conversation in the list. */
export function ConversationRow({ row, search, isOpen }: { row: Conversation; search: InboxSearch; isOpen: boolean }) {
  const area = useArea();
  const { typing, reply } = useShortLived(row.id);
  const { mark, word } = stateOf(row);
  const last = row.lastMessage;
  return (
    <li className="inbox-row" data-open={isOpen ? '' : undefined}>
      <ConversationLink id={row.id} search={search} isUnread={row.isUnread}>
        <span className="inbox-row-head">
          {row.isUnread ? <i className="inbox-dot" aria-hidden /> : null}
          <b className="truncate">{row.visitorLabel}</b>
          {row.isUnread ? <span className="sr-only">, unread</span> : null}
          {area === 'dashboard' ? <span className="truncate text-ink-3">{row.clientName}</span> : null}
          <time dateTime={row.lastMessageAt} className="tabular-nums ml-auto flex-none text-xs text-ink-3">
            {whenOf(row.lastMessageAt)}
          </time>
        </span>
        <span className="inbox-row-text">
          {typing ? (
            <em className="text-accent not-italic">{typing.name} is typing…</em>
          ) : reply ? (
            <em className="text-accent not-italic">The chatbot is answering…</em>
          ) : last ? (
            AUTHORS[last.author] + last.text
          ) : (
            'No message yet'
          )}
        </span>
        <span className="inbox-row-state" data-waiting={row.waitingSince ? '' : undefined}>
          <Mark kind={mark} size={12} />
          <span className="truncate">{row.waitingSince ? `Waiting for a person · ${formatAge(row.waitingSince)}` : word}</span>
        </span>
      </ConversationLink>
    </li>
  );
}

function whenOf(iso: string): string {
  return isSameDay(new Date(iso), new Date()) ? formatMinute(iso) : formatDay(iso);
}
