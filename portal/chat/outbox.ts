import { type Api, Refused } from './api.ts';
import { language, t } from './messages.ts';
import { pause } from './stream.ts';
import type { Outgoing } from './thread.ts';
import type { Sent } from './wire.ts';

const WAIT_MS_MIN = 1_000;
const WAIT_MS_MAX = 30_000;
/** An answer to the message before is under way. */
const BUSY_MS = 2_000;

export type OutboxOptions = {
  api: Api;
  /** The oldest text that is to be sent; undefined when there is none. */
  next: () => Outgoing | undefined;
  address: () => { conversationId: string | null; visitorId: string };
  onSent: (outgoing: Outgoing, sent: Sent) => void;
  onState: (clientMessageId: string, state: Outgoing['state'], problem: string) => void;
  /** The server knows no such conversation or chatbot; resolves to whether to send again. */
  onUnknown: () => Promise<boolean>;
};

/** Sends texts one after the other, each under its own id until the server has it: what is sent again is stored once. */
export function createOutbox(options: OutboxOptions) {
  let isBusy = false;
  let wake = new AbortController();

  const send = async (outgoing: Outgoing, failures: number): Promise<'sent' | 'again' | 'failed'> => {
    const { clientMessageId, text } = outgoing;
    const { conversationId, visitorId } = options.address();
    options.onState(clientMessageId, 'sending', '');
    try {
      const sent = await options.api.send({ ...(conversationId ? { conversationId } : {}), text, clientMessageId, visitorId });
      options.onSent(outgoing, sent);
      return 'sent';
    } catch (error) {
      const refused = error instanceof Refused ? error : new Refused(0, '', null);
      const wait = waitAfter(refused, failures);
      // Without the conversation that is not known any more.
      if (refused.status === 404 && (await options.onUnknown().catch(() => false)) && conversationId !== null) return 'again';
      if (wait === null) {
        // The service explains itself in English alone.
        options.onState(clientMessageId, 'failed', language().locale === 'en' ? refused.detail : '');
        return 'failed';
      }
      options.onState(clientMessageId, 'waiting', explain(refused.status, wait));
      await pause(wait, wake.signal);
      return 'again';
    }
  };
  const sendAll = async (): Promise<void> => {
    if (isBusy) return;
    isBusy = true;
    let failures = 0;
    for (let outgoing = options.next(); outgoing; outgoing = options.next()) {
      const outcome = await send(outgoing, failures);
      failures = outcome === 'again' ? failures + 1 : 0;
    }
    isBusy = false;
  };
  return {
    /** Sends what there is, also what waits. */
    flush(): void {
      wake.abort();
      wake = new AbortController();
      void sendAll();
    },
  };
}

/** Null when sending it again would change nothing. */
function waitAfter({ status, retryAfterMs }: Refused, failures: number): number | null {
  if (status === 409) return BUSY_MS;
  if (status !== 0 && status !== 408 && status !== 429 && status < 500) return null;
  return retryAfterMs ?? Math.min(WAIT_MS_MAX, WAIT_MS_MIN * 2 ** failures);
}

function explain(status: number, waitMs: number): string {
  if (status === 409) return t('chat.after-answer');
  return status === 429 ? t('chat.too-fast', { seconds: Math.ceil(waitMs / 1000) }) : '';
}
