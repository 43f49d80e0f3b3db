import './inbox.css';
import { visitorLabelFor } from '@partner-portal/messages/visitor-label.ts';
import { ArrowLeft, Bot, Check, Hand, Mail, MailOpen } from 'lucide-react';
import { hostOf } from '../../ui/text/format.ts';
import { Badge } from '../../ui/feedback/badge.tsx';
import { Button, IconButton } from '../../ui/controls/button.tsx';
import { api } from '../../app/api.ts';
import { useMessages } from '../../app/messages.ts';
import { ExportButton } from '../../shared/export-button.tsx';
import { useIsViewing } from '../../app/current-user.ts';
import type { ConversationDetail } from '../../queries/inbox.ts';
import { useArea } from './area.tsx';
import { CostLine } from './cost-line.tsx';
import { answeringText, reasonOf, stateOf } from './labels.ts';

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
  const { t } = useMessages();
  const { status, assignedTo, isUnread } = conversation;
  const area = useArea();
  const isViewing = useIsViewing();
  const { mark, word } = stateOf(t, conversation);
  const isTheirs = assignedTo !== null && assignedTo.id !== userId;
  const taken = isTheirs ? t('inbox.give-back-first', { who: answeringText(t, assignedTo) }) : undefined;
  const isMine = assignedTo?.id === userId;
  const where = [area === 'dashboard' ? conversation.clientName : '', hostOf(conversation.origin)].filter(Boolean).join(' · ');
  return (
    <header className="inbox-thread-head">
      <IconButton label={t('inbox.back')} className="inbox-back" onClick={onBack}>
        <ArrowLeft aria-hidden />
      </IconButton>
      <div className="min-w-0 flex-[1_1_220px]">
        <div className="flex min-w-0 flex-wrap items-center gap-x-2">
          <h2 className="truncate font-semibold">{visitorLabelFor(t, conversation.visitorLabel)}</h2>
          <Badge mark={mark}>{word}</Badge>
        </div>
        <p className="text-xs text-ink-3">
          {where}
          {status === 'handed_off' && conversation.handoffReason ? (
            <span className="max-md:hidden">
              {where ? ' · ' : ''}
              {reasonOf(t, conversation.handoffReason)}
            </span>
          ) : null}
        </p>
        {conversation.isOnStopList ? <p className="text-xs text-warn">{t('stop-list.conversation')}</p> : null}
        <CostLine usage={conversation.usage} />
      </div>
      <div className="flex flex-wrap items-center gap-1.5 [&>*]:flex-none">
        {isViewing ? null : (
          <IconButton label={t(isUnread ? 'inbox.mark-read' : 'inbox.mark-unread')} onClick={() => onMark(isUnread)}>
            {isUnread ? <MailOpen aria-hidden /> : <Mail aria-hidden />}
          </IconButton>
        )}
        {isViewing ? null : (
          <ExportButton
            isIcon
            word={t('inbox.export')}
            name="messages"
            read={() => api.exportMessages({ params: { id: conversation.id } })}
          />
        )}
        {status === 'closed' || isMine ? null : (
          <Button
            kind={conversation.waitingSince ? 'primary' : 'default'}
            icon={<Hand className="icon-small" aria-hidden />}
            disabledReason={refusal ?? taken}
            busy={busy === 'takeOver' && t('inbox.taking-over')}
            onClick={() => onAction('takeOver')}
          >
            {t('inbox.take-over')}
          </Button>
        )}
        {status === 'handed_off' ? (
          <Button
            icon={<Bot className="icon-small" aria-hidden />}
            disabledReason={refusal}
            busy={busy === 'giveBack' && t('inbox.giving-back')}
            onClick={() => onAction('giveBack')}
            aria-label={t('inbox.give-back-label')}
          >
            <span className="max-md:hidden">{t('inbox.give-back')}</span>
          </Button>
        ) : null}
        {status === 'closed' ? null : (
          <Button
            icon={<Check className="icon-small" aria-hidden />}
            disabledReason={refusal}
            busy={busy === 'close' && t('inbox.closing')}
            onClick={() => onAction('close')}
            aria-label={t('ui.close')}
          >
            <span className="max-md:hidden">{t('ui.close')}</span>
          </Button>
        )}
      </div>
    </header>
  );
}
