import './inbox.css';
import type { Messages } from '@partner-portal/messages/messages.ts';
import { visitorLabelFor } from '@partner-portal/messages/visitor-label.ts';
import { useMessages } from '../../app/messages.ts';
import { formatAge, formatDay, formatMinute, isSameDay } from '../../ui/text/format.ts';
import { Mark } from '../../ui/feedback/mark.tsx';
import type { Conversation, InboxSearch } from '../../queries/inbox.ts';
import { ConversationLink, useArea } from './area.tsx';
import { stateOf, typingText } from './labels.ts';
import { useShortLived } from './live-state.ts';

/** One conversation in the list. */
export function ConversationRow({ row, search, isOpen }: { row: Conversation; search: InboxSearch; isOpen: boolean }) {
  const { t } = useMessages();
  const area = useArea();
  const { typing, reply } = useShortLived(row.id);
  const { mark, word } = stateOf(t, row);
  const last = row.lastMessage;
  return (
    <li className="inbox-row" data-open={isOpen ? '' : undefined}>
      <ConversationLink id={row.id} search={search} isUnread={row.isUnread}>
        <span className="inbox-row-head">
          {row.isUnread ? <i className="inbox-dot" aria-hidden /> : null}
          <b className="max-w-3/5 flex-none truncate">{visitorLabelFor(t, row.visitorLabel)}</b>
          {row.isUnread ? <span className="sr-only">, {t('inbox.is-unread')}</span> : null}
          {area === 'dashboard' ? <span className="truncate text-ink-3">{row.clientName}</span> : null}
          <time dateTime={row.lastMessageAt} className="tabular-nums ml-auto flex-none text-xs text-ink-3">
            {whenOf(row.lastMessageAt)}
          </time>
        </span>
        <span className="inbox-row-text" dir="auto">
          {typing ? (
            <em className="text-accent not-italic">{typingText(t, typing)}</em>
          ) : reply ? (
            <em className="text-accent not-italic">{t('inbox.bot-answering')}</em>
          ) : last ? (
            textOf(t, last)
          ) : (
            t('inbox.no-message')
          )}
        </span>
        <span className="inbox-row-state" data-waiting={row.waitingSince ? '' : undefined}>
          <Mark kind={mark} size={12} />
          <span className="truncate">{word}</span>
          {row.waitingSince ? <span className="flex-none"> · {formatAge(row.waitingSince)}</span> : null}
        </span>
      </ConversationLink>
    </li>
  );
}

function textOf(t: Messages['t'], { author, text }: NonNullable<Conversation['lastMessage']>): string {
  return author === 'visitor' ? text : t(author === 'bot' ? 'inbox.by-bot' : 'inbox.by-human', { text });
}

function whenOf(iso: string): string {
  return isSameDay(new Date(iso), new Date()) ? formatMinute(iso) : formatDay(iso);
}
