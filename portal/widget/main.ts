import { createWidget, type Widget } from './widget.ts';

declare global {
  interface Window {
    /** The one name this script adds to a page: `chatWidget.open()` for a button of the website's own. */
    chatWidget?: Widget;
  }
}

const script = document.currentScript ?? document.querySelector('script[data-chatbot]');
if (script instanceof HTMLScriptElement) start(script);

function start({ src, dataset }: HTMLScriptElement): void {
  const { chatbot, theme } = dataset;
  // Included twice, shown once.
  if (!chatbot || window.chatWidget) return;
  window.chatWidget = createWidget({
    origin: new URL(src).origin,
    chatbotId: chatbot,
    theme: theme === 'light' || theme === 'dark' ? theme : null,
  });
}
