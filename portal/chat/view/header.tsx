/** @jsxImportSource preact */
import { useState } from 'preact/hooks';
import { t } from '../messages.ts';
import type { Chatbot } from '../wire.ts';
import type { Thread } from '../thread.ts';
import { Icon } from './icons.tsx';

type HeaderProps = { chatbot: Chatbot; thread: Thread; onNew: (() => void) | null; onClose: (() => void) | null };

/** Who answers, and for which business. */
export function Header({ chatbot, thread, onNew, onClose }: HeaderProps) {
  return (
    <header class="header">
      <Logo chatbot={chatbot} />
      <div class="header-who">
        <h1>{chatbot.businessName}</h1>
        <p>{describe(chatbot, thread)}</p>
      </div>
      {onNew && (
        <button type="button" class="tool" aria-label={t('chat.new')} title={t('chat.new')} onClick={onNew}>
          <Icon name="renew" />
        </button>
      )}
      {onClose && (
        <button type="button" class="tool" aria-label={t('chat.close-chat')} title={t('chat.close-short')} onClick={onClose}>
          <Icon name="close" />
        </button>
      )}
    </header>
  );
}

function describe({ name }: Chatbot, { status, humanName }: Thread): string {
  if (humanName !== null) return t('chat.answers-you', { name: humanName });
  return status === 'handed_off' ? t('chat.answers-person') : t('chat.answers-automatic', { name });
}

function Logo({ chatbot }: { chatbot: Chatbot }) {
  const [isBroken, setBroken] = useState(false);
  if (chatbot.logoUrl && !isBroken) {
    return (
      <span class="logo">
        <img src={chatbot.logoUrl} alt="" onError={() => setBroken(true)} />
      </span>
    );
  }
  return (
    <span class="logo" data-letter="" aria-hidden="true">
      {chatbot.businessName.trim().charAt(0).toUpperCase()}
    </span>
  );
}
