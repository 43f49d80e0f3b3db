import '../../ui/forms/input.css';
import './inbox.css';
import { LIMITS } from '@partner-portal/contract/vocabulary.ts';
import { Send, Zap } from 'lucide-react';
import { type KeyboardEvent, type Ref, useImperativeHandle, useMemo, useRef, useState } from 'react';
import { api } from '../../app/api.ts';
import { useMessages } from '../../app/messages.ts';
import { useIsViewing } from '../../app/current-user.ts';
import { Button, IconButton } from '../../ui/controls/button.tsx';
import { throttle } from '../../ui/hooks/throttle.ts';
import { isOfInputMethod } from '../../ui/keyboard/input-method.ts';
import { Kbd } from '../../ui/layout/layout.tsx';
import { MarkedText, markPart } from '../../ui/text/marked-text.tsx';
import type { Conversation } from '../../queries/inbox.ts';
import { CannedDialog } from './canned-dialog.tsx';
import { CannedPicker } from './canned-picker.tsx';
import { answeringText } from './labels.ts';
import { draftOf, keepDraft, sendReply } from './outgoing.ts';

/** The service passes one notice in two seconds on. */
const TYPING_MS = 3_000;

type Props = {
  ref: Ref<HTMLTextAreaElement>;
  conversation: Conversation;
  refusal: string | undefined;
  userId: string;
};

/** The reply box. Enter sends, Shift and Enter begin a line, `/` in the empty box offers prepared replies. */
export function Composer({ ref, conversation, refusal, userId }: Props) {
  const { t } = useMessages();
  const { id, status, assignedTo } = conversation;
  const box = useRef<HTMLTextAreaElement>(null);
  useImperativeHandle(ref, () => box.current as HTMLTextAreaElement); // set while it is shown, and no one calls it otherwise
  const [text, setText] = useState(() => draftOf(id));
  const [isPicking, setPicking] = useState(false);
  const [isManaging, setManaging] = useState(false);
  const announceTyping = useMemo(() => {
    const announce = (): void => void api.announceTyping({ params: { id } }).catch(() => undefined);
    // The last one is due after a while: nothing is being written any more once it was sent.
    return throttle(() => {
      if (draftOf(id).trim()) announce();
    }, TYPING_MS);
  }, [id]);
  const isTheirs = assignedTo !== null && assignedTo.id !== userId;
  const reason = refusal ?? (status === 'closed' ? t('inbox.is-closed') : isTheirs ? answeringText(t, assignedTo) : undefined);
  if (useIsViewing()) return null;
  const change = (next: string): void => {
    setText(next);
    keepDraft(id, next);
    setPicking(next === '/');
    if (next.trim() && next !== '/') announceTyping();
  };
  const send = (): void => {
    if (!text.trim() || reason !== undefined) return;
    sendReply(id, text.trim());
    change('');
    box.current?.focus();
  };
  const onKey = (event: KeyboardEvent<HTMLTextAreaElement>): void => {
    if (event.key === 'Escape') {
      event.stopPropagation();
      if (isPicking) close();
      else box.current?.blur();
    } else if (event.key === 'Enter' && !event.shiftKey && !isOfInputMethod(event.nativeEvent) && !isPicking) {
      event.preventDefault();
      send();
    }
  };
  const close = (): void => {
    if (text === '/') change('');
    setPicking(false);
  };
  const back = (): void => {
    close();
    box.current?.focus();
  };
  // A prepared reply joins what is written already.
  const pick = (picked: string): void => {
    change(text === '/' || !text.trim() ? picked : `${text.trimEnd()}\n${picked}`);
    box.current?.focus();
  };
  return (
    <footer className="inbox-composer">
      {isPicking ? (
        <CannedPicker clientId={conversation.clientId} onPick={pick} onManage={() => (close(), setManaging(true))} onClose={back} />
      ) : null}
      <textarea
        ref={box}
        className="input"
        dir="auto"
        rows={2}
        maxLength={LIMITS.replyTextMax}
        aria-label={t('inbox.reply')}
        aria-describedby={`${id}-hint`}
        placeholder={reason === undefined ? t(status === 'open' ? 'inbox.reply-take-over' : 'inbox.reply') : undefined}
        value={text}
        readOnly={reason !== undefined}
        aria-disabled={reason === undefined ? undefined : true}
        onChange={(event) => change(event.target.value)}
        onKeyDown={onKey}
      />
      <div className="flex items-center gap-2">
        <IconButton label={t('inbox.prepared')} disabledReason={reason} onClick={() => setPicking(true)}>
          <Zap aria-hidden />
        </IconButton>
        <p id={`${id}-hint`} className="min-w-0 flex-1 text-xs text-ink-3">
          {reason ?? (
            <span className="max-md:hidden">
              <MarkedText part={(key) => <Kbd>{key}</Kbd>}>
                {t('inbox.keys', { enter: markPart('Enter'), slash: markPart('/') })}
              </MarkedText>
            </span>
          )}
        </p>
        <Button
          kind="primary"
          icon={<Send className="icon-small" aria-hidden />}
          disabledReason={reason}
          inactive={!text.trim()}
          onClick={send}
        >
          {t('inbox.send')}
        </Button>
      </div>
      <CannedDialog open={isManaging} onClose={() => setManaging(false)} clientId={conversation.clientId} />
    </footer>
  );
}
