/** @jsxImportSource preact */
import { useState } from 'preact/hooks';
import type { Chat, ChatState } from '../chat.ts';
import { t } from '../messages.ts';
import type { Chatbot } from '../wire.ts';
import { Composer } from './composer.tsx';
import { Header } from './header.tsx';
import { Log } from './log.tsx';
import { ConfirmNew } from './confirm-new.tsx';

type ChatPageProps = {
  chatbot: Chatbot;
  chat: Chat;
  state: ChatState;
  isOnline: boolean;
  draft: string;
  input: { current: HTMLTextAreaElement | null };
  onDraft: (text: string) => void;
  onClose: (() => void) | null;
};

export function ChatPage({ chatbot, chat, state, isOnline, draft, input, onDraft, onClose }: ChatPageProps) {
  const { thread, isLost, isGone } = state;
  const [isConfirming, setConfirming] = useState(false);
  const hasBegun = thread.messages.length + thread.outgoing.length > 0;
  const isOffline = !isOnline || isLost;
  return (
    <div class="chat">
      <Header chatbot={chatbot} thread={thread} onNew={hasBegun && !isGone ? () => setConfirming(true) : null} onClose={onClose} />
      <main>
        <div role="status" class="banner-box">
          {!isGone && isOffline && <p class="banner">{t(isOnline ? 'chat.connection-lost' : 'chat.offline')}</p>}
        </div>
        <Log chatbot={chatbot} state={state} isOnline={isOnline} onRetry={() => chat.retry()} />
        {isGone && <p class="end">{t('chat.gone')}</p>}
        {thread.status === 'closed' && !isGone && <p class="end">{t('chat.closed')}</p>}
        {!isGone && (
          <Composer
            name={thread.humanName ?? chatbot.name}
            textMax={chatbot.textMax}
            draft={draft}
            isBusy={state.isLoading}
            input={input}
            onDraft={(text) => {
              onDraft(text);
              if (text) chat.announceTyping();
            }}
            onSend={(text) => chat.send(text)}
          />
        )}
      </main>
      <Foot chatbot={chatbot} />
      {isConfirming && (
        <ConfirmNew
          onConfirm={() => {
            setConfirming(false);
            chat.startNew();
            input.current?.focus();
          }}
          onCancel={() => setConfirming(false)}
        />
      )}
    </div>
  );
}

/** Who runs the chat, and what happens with what is written. */
function Foot({ chatbot }: { chatbot: Chatbot }) {
  return (
    <footer class="foot">
      <span>{t('chat.by', { agency: chatbot.agencyName })}</span>
      {chatbot.privacyUrl && (
        <span>
          {t('chat.stored')}{' '}
          <a href={chatbot.privacyUrl} target="_blank" rel="noopener noreferrer">
            {t('chat.privacy')}
          </a>
        </span>
      )}
    </footer>
  );
}
