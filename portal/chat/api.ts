import { language } from './messages.ts';
import type { Chatbot, Conversation, Sent } from './wire.ts';

/** A refusal by the server, or none at all (`status` 0). */
export class Refused extends Error {
  readonly status: number;
  readonly detail: string;
  readonly retryAfterMs: number | null;
  constructor(status: number, detail: string, retryAfterMs: number | null) {
    super(detail);
    this.status = status;
    this.detail = detail;
    this.retryAfterMs = retryAfterMs;
  }
}

/** Whether the server does not know what was asked for. */
export function isUnknown(error: unknown): boolean {
  return error instanceof Refused && error.status === 404;
}

const TIMEOUT_MS = 30_000;

export type Api = ReturnType<typeof createApi>;

/** Calls of the public API of one chatbot: without cookies and without a session. `origin` is that of the website around the chat. */
export function createApi(chatbotId: string, origin: string | null) {
  const base = `/chatbot/public/${encodeURIComponent(chatbotId)}`;
  const call = async <Reply>(path: string, init: RequestInit = {}): Promise<Reply> => {
    const response = await ask(base + path, { ...init, signal: AbortSignal.timeout(TIMEOUT_MS) });
    return (response.status === 204 ? undefined : await response.json()) as Reply; // as the contract declares it
  };
  const post = (body: unknown, headers: Record<string, string> = {}): RequestInit => ({
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  return {
    readChatbot: () => call<Chatbot>(''),
    readConversation: (id: string) => call<Conversation>(`/conversations/${id}`),
    send: (body: { conversationId?: string; text: string; clientMessageId: string; visitorId: string }) =>
      call<Sent>(
        '/messages',
        post({ ...body, ...(origin ? { origin } : {}) }, { prefer: 'respond-async', 'accept-language': language().tag }),
      ),
    announceTyping: (id: string) => call<undefined>(`/conversations/${id}/typing`, { method: 'POST' }),
    openStream: (id: string, lastEventId: string | null, signal: AbortSignal) =>
      ask(`${base}/conversations/${id}/stream`, { signal, headers: lastEventId ? { 'last-event-id': lastEventId } : {} }),
  };
}

async function ask(url: string, init: RequestInit): Promise<Response> {
  const response = await fetch(url, { ...init, credentials: 'omit', cache: 'no-store' }).catch(() => {
    throw new Refused(0, '', null);
  });
  if (response.ok) return response;
  const problem = (await response.json().catch(() => ({}))) as { detail?: unknown }; // a problem, unless something between us wrote it
  const seconds = Number(response.headers.get('retry-after'));
  const detail = typeof problem.detail === 'string' ? problem.detail : '';
  throw new Refused(response.status, detail, seconds > 0 ? seconds * 1000 : null);
}
