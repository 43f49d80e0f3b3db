import { type FromChat, type FromSite, readMessage } from '../widget/frame-messages.ts';

export type Site = {
  /** False when the chat was opened as a page of its own. */
  isFramed: boolean;
  origin: string | null;
  post(message: FromChat): void;
  listen(receive: (message: FromSite) => void): void;
};

/** The website around the frame. Its exact origin is known from the browser, or from the referrer, whose policy the script sets. */
export function findSite(): Site {
  const isFramed = window.parent !== window;
  const known = location.ancestorOrigins?.[0] ?? (document.referrer ? new URL(document.referrer).origin : null);
  const origin = isFramed ? known : null;
  return {
    isFramed,
    origin,
    post(message) {
      if (origin !== null) window.parent.postMessage(message, origin);
    },
    listen(receive) {
      addEventListener('message', ({ source, origin: from, data }: MessageEvent<unknown>) => {
        if (source !== window.parent || from !== origin) return;
        const message = readMessage<FromSite>(data);
        if (message) receive(message);
      });
    },
  };
}
