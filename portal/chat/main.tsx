/** @jsxImportSource preact */
import { render } from 'preact';
import { type Api, createApi, Refused } from './api.ts';
import { applyBrand } from './brand.ts';
import { type ChatState, createChat } from './chat.ts';
import './chat.css';
import { chooseLanguage, t } from './messages.ts';
import { findSite, type Site } from './site.ts';
import { createKeeper, openState } from './storage.ts';
import { pause } from './stream.ts';
import { ChatPage } from './view/chat-page.tsx';
import type { Chatbot } from './wire.ts';

const RETRY_MS = 3_000;

const chatbotId = location.pathname.split('/')[2] ?? '';
const theme = new URLSearchParams(location.search).get('theme');
if (theme === 'light' || theme === 'dark') document.documentElement.dataset['theme'] = theme;
void start();

async function start(): Promise<void> {
  const root = document.getElementById('chat');
  const site = findSite();
  const api = createApi(chatbotId, site.origin);
  const chatbot = await readChatbot(api.readChatbot);
  if (root && chatbot) run(root, { api, chatbot, site });
}

/** Undefined when the chatbot is not served any more; the website then shows nothing. */
async function readChatbot(read: () => Promise<Chatbot>): Promise<Chatbot | undefined> {
  for (;;) {
    try {
      return await read();
    } catch (error) {
      if (!(error instanceof Refused) || (error.status > 0 && error.status < 429)) return undefined;
      await pause(error.retryAfterMs ?? RETRY_MS);
    }
  }
}

function run(root: HTMLElement, { api, chatbot, site }: { api: Api; chatbot: Chatbot; site: Site }): void {
  const keeper = createKeeper(chatbot.id);
  const { draft } = keeper.read();
  const input: { current: HTMLTextAreaElement | null } = { current: null };
  const brand = applyBrand(chatbot.brandColor);
  document.documentElement.lang = chooseLanguage(navigator.language, chatbot.locale).locale;
  document.title = `${chatbot.name}, ${chatbot.businessName}`;

  let last: ChatState | undefined;
  let unread = -1;
  let isTall: boolean | undefined;
  const close = (): void => {
    // At once: the page may be left before the website's answer arrives.
    openState.write(false);
    site.post({ type: 'close' });
  };
  const show = (state: ChatState): void => {
    last = state;
    render(
      <ChatPage
        chatbot={chatbot}
        chat={chat}
        state={state}
        isOnline={navigator.onLine}
        draft={draft}
        input={input}
        onDraft={(text) => keeper.write({ draft: text })}
        onClose={site.isFramed ? close : null}
      />,
      root,
    );
    const { messages, outgoing } = state.thread;
    if (unread !== state.unread) {
      unread = state.unread;
      site.post({ type: 'unread', count: unread, openLabel: openLabel(chatbot, unread) });
    }
    const hasBegun = messages.length + outgoing.length > 0;
    if (isTall !== hasBegun) site.post({ type: 'height', isTall: (isTall = hasBegun) });
  };
  const chat = createChat(api, keeper, show);
  const showAgain = (): void => {
    if (last) show(last);
  };
  addEventListener('online', showAgain);
  addEventListener('offline', showAgain);
  // A dialog takes its own Escape.
  addEventListener('keydown', (event) => {
    if (event.key === 'Escape' && !document.querySelector('dialog[open]')) close();
  });
  site.listen(({ type }) => {
    const isOpen = type === 'opened';
    openState.write(isOpen);
    chat.setOpen(isOpen);
    // On a touch screen the keyboard would cover the greeting.
    if (isOpen && matchMedia('(pointer: fine)').matches) input.current?.focus();
  });
  chat.start();
  if (!site.isFramed) chat.setOpen(true);
  site.post({
    type: 'ready',
    title: t('chat.title', { name: chatbot.name }),
    openLabel: openLabel(chatbot, last?.unread ?? 0),
    closeLabel: t('chat.close', { name: chatbot.name }),
    fill: brand.fill,
    on: brand.on,
    unread: last?.unread ?? 0,
    wasOpen: openState.read(),
  });
}

/** The name of the button on the website, which has no texts of its own. */
function openLabel({ name }: Chatbot, unread: number): string {
  return t('chat.open', { name, unread });
}
