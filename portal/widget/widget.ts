import { type FromChat, type FromSite, readMessage } from './frame-messages.ts';
import { createLauncher, type Launcher } from './launcher.ts';
import { createPanel } from './panel.ts';
import { STYLES } from './styles.ts';

export type Widget = { open(): void; close(): void };
export type WidgetOptions = { origin: string; chatbotId: string; theme: 'light' | 'dark' | null };

/** How long to wait for the page to be idle before loading the frame anyway. */
const IDLE_MS = 3_000;
/** How long the chat is away when the website removes it: a script that removes it again each time would otherwise hold up the page. */
const ATTACH_MS = 100;

/**
 * Puts a chat on the page. The frame loads once the page is idle, out of sight; the launcher appears when the chat in it reports that it is
 * ready. A chatbot that is not served, or not on this website, therefore leaves nothing to see.
 */
export function createWidget({ origin, chatbotId, theme }: WidgetOptions): Widget {
  const host = document.createElement('div');
  // The website's own rules reach the host, though nothing inside it.
  host.style.setProperty('all', 'initial', 'important');
  const root = host.attachShadow({ mode: 'open' });
  // Set by script, which a content security policy without 'unsafe-inline' allows.
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(STYLES);
  root.adoptedStyleSheets = [sheet];
  if (theme) host.dataset['theme'] = theme;
  const panel = createPanel(`${origin}/chat/${encodeURIComponent(chatbotId)}${theme ? `?theme=${theme}` : ''}`);
  root.append(panel.element);

  let launcher: Launcher | undefined;
  let isOpen = false;
  /** Asked for by the website before the chat was ready. */
  let isWanted = false;
  const post = (message: FromSite): void => panel.frame.contentWindow?.postMessage(message, origin);

  const show = (): void => {
    isWanted = true;
    if (isOpen || !launcher) return;
    isOpen = true;
    panel.show();
    launcher.setOpen(true);
    panel.frame.focus();
    post({ type: 'opened' });
  };
  const hide = (): void => {
    isWanted = false;
    if (!isOpen || !launcher) return;
    isOpen = false;
    // Moves the focus only if it would be lost: the visitor may already use the page.
    const hadFocus = root.activeElement !== null;
    panel.hide();
    launcher.setOpen(false);
    if (hadFocus) launcher.element.focus();
    post({ type: 'closed' });
  };

  const receive = (message: FromChat): void => {
    if (message.type === 'close') hide();
    else if (message.type === 'unread') launcher?.setUnread(message.count, message.openLabel);
    else if (message.type === 'height') panel.setTall(message.isTall);
    else {
      // The frame may have reloaded, which keeps the panel open.
      launcher?.element.remove();
      launcher = createLauncher(message, () => (isOpen ? hide() : show()));
      root.append(launcher.element);
      panel.frame.title = message.title;
      launcher.setOpen(isOpen);
      if (isOpen) post({ type: 'opened' });
      else if (isWanted || (message.wasOpen && !panel.isSheet())) show();
    }
  };
  addEventListener('message', ({ origin: from, source, data }: MessageEvent<unknown>) => {
    if (from !== origin || source !== panel.frame.contentWindow) return;
    const message = readMessage<FromChat>(data);
    if (message) receive(message);
  });
  root.addEventListener('keydown', (event) => {
    if (event instanceof KeyboardEvent && event.key === 'Escape') hide();
  });

  const attach = (): void => {
    if (!host.isConnected) document.querySelector('body')?.append(host);
  };
  // Websites that replace their body, or all that is in it, on navigation keep the chat.
  const watch = (): void => {
    observer.disconnect();
    for (const element of document.querySelectorAll('html, body')) observer.observe(element, { childList: true });
    if (!host.isConnected) setTimeout(attach, ATTACH_MS);
  };
  const observer = new MutationObserver(watch);
  whenIdle(() => {
    attach();
    watch();
  });
  return { open: show, close: hide };
}

function whenIdle(work: () => void): void {
  const wait = (): void => {
    // Safari has no idle callback.
    if ('requestIdleCallback' in window) requestIdleCallback(work, { timeout: IDLE_MS });
    else setTimeout(work, 1);
  };
  if (document.readyState === 'complete') wait();
  else addEventListener('load', wait, { once: true });
}
