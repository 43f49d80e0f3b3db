import './inbox.css';
import { ArrowLeft, Bot, Check, Hand, Mail, MailOpen } from 'lucide-react';
import { Badge } from '../../ui/feedback/badge.tsx';
import { Button, IconButton } from '../../ui/controls/button.tsx';
import { useIsViewing } from '../../app/current-user.ts';
import type { ConversationDetail } from '../../queries/inbox.ts';
import { useArea } from './area.tsx';
import { CostLine } from './cost-line.tsx';
import { reasonOf, stateOf } from './labels.ts';

type Action = 'takeOver' | 'giveBack' | 'close';
type Props = {
  conversation: ConversationDetail;
  /** Why the reader may not answer. */
  refusal: string | undefined;
  userId: string;
  busy: Action | undefined;
  onAction: (action: Action) => void;
  onMark: (isRead: boolean) => void;
  onBack: () => void;
};

/** Visitor, state and actions of a conversation. */
export function ThreadHeader({ conversation, refusal, userId, busy, onAction, onMark, onBack }: Props) {
  const { status, assignedTo, isUnread } = conversation;
  const area = useArea();
  const isViewing = useIsViewing();
  const { mark, word } = stateOf(conversation);
  const isTheirs = assignedTo !== null && assignedTo.id !== userId;
  const taken = isTheirs ? `${assignedTo.name || 'Another person'} is answering. Give it back to the chatbot first.` : undefined;
  const isMine = assignedTo?.id === userId;
  return (
    <header className="inbox-thread-head">
      <IconButton label="Back to the list" className="inbox-back" onClick={onBack}>
        <ArrowLeft aria-hidden />
      </IconButton>
      <div className="min-w-0 flex-[1_1_220px]">
        <div className="flex min-w-0 flex-wrap items-center gap-x-2">
          <h2 className="truncate font-semibold">{conversation.visitorLabel}</h2>
          <Badge mark={mark}>{word}</Badge>
        </div>
        <p className="text-xs text-ink-3">
          {[area === 'dashboard' ? conversation.clientName : '', hostOf(conversation.origin)].filter(Boolean).join(' · ')}
          {status === 'handed_off' && conversation.handoffReason ? (
            <span className="max-md:hidden"> · {reasonOf(conversation.handoffReason)}</span>
          ) : null}
        </p>
        <CostLine usage={conversation.usage} />
      </div>
      <div className="flex flex-none items-center gap-1.5">
        {isViewing ? null : (
          <IconButton label={isUnread ? 'Mark as read' : 'Mark as unread'} onClick={() => onMark(isUnread)}>
            {isUnread ? <MailOpen aria-hidden /> : <Mail aria-hidden />}
          </IconButton>
        )}
        {status === 'closed' || isMine ? null : (
          <Button
            kind={conversation.waitingSince ? 'primary' : 'default'}
            icon={<Hand className="icon-small" aria-hidden />}
            disabledReason={refusal ?? taken}
            busy={busy === 'takeOver' && 'Taking over'}
            onClick={() => onAction('takeOver')}
          >
            Take over
          </Button>
        )}
        {status === 'handed_off' ? (
          <Button
            icon={<Bot className="icon-small" aria-hidden />}
            disabledReason={refusal}
            busy={busy === 'giveBack' && 'Giving back'}
            onClick={() => onAction('giveBack')}
            aria-label="Give back to the chatbot"
          >
            <span className="max-md:hidden">Give back</span>
          </Button>
        ) : null}
        {status === 'closed' ? null : (
          <Button
            icon={<Check className="icon-small" aria-hidden />}
            disabledReason={refusal}
            busy={busy === 'close' && 'Closing'}
            onClick={() => onAction('close')}
            aria-label="Close"
          >
            <span className="max-md:hidden">Close</span>
          </Button>
        )}
      </div>
    </header>
  );
}

function hostOf(origin: string): string {
  return origin.replace(/^https?:\/\//, '');
}
