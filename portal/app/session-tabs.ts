import type { Session } from './session-record.ts';

/**
 * The tabs of a browser share one session: a new tab asks the open ones for it, and what ends or replaces a session in one tab does so in
 * all. It goes from tab to tab, through no storage that outlives them. See docs/adr/0048-tabs.md.
 */

/** A session, and the user's own session and page below it while it is a view-as session. */
export type Shared = { session: Session; saved?: { session: Session; path: string } | undefined };

type Message =
  | { kind: 'ask'; id: string; path: string }
  | { kind: 'give'; id: string; shared: Shared; fits: boolean }
  | { kind: 'ended'; token: string; userId: string | undefined };

type Tab = {
  /** What this tab would give to one that opens `path`, and whether its role may see that page. */
  offer: (path: string) => { shared: Shared; fits: boolean } | undefined;
  /** With `userId`, every session of this user has ended. */
  onEnded: (token: string, userId: string | undefined) => void;
};

const NAME = 'portal.session';
/** A tab in the background may be frozen and answer late or never. */
const ANSWER_MS = 1500;
/** Without a sign of other tabs, and once one has answered that has no session for the page. */
const SHORT_MS = 250;

// Not where the build renders the start page or a test reads this file: an open channel would keep that process alive.
const channel = 'document' in globalThis ? new BroadcastChannel(NAME) : undefined;

function post(message: Message): void {
  channel?.postMessage(message);
}

/** Answers and follows the other tabs from now on. */
export function joinTabs(tab: Tab): void {
  channel?.addEventListener('message', ({ data }: MessageEvent<Message>) => {
    if (data.kind === 'ask') {
      const offer = tab.offer(data.path);
      if (offer) post({ kind: 'give', id: data.id, ...offer });
    } else if (data.kind === 'ended') tab.onEnded(data.token, data.userId);
  });
}

/** Ends this session in the other tabs; with `userId`, each session of that user. */
export function shareEnd(token: string, userId?: string): void {
  post({ kind: 'ended', token, userId });
}

let isShown = false;

/** Shows other tabs, as long as this page lives, that there was a session to ask for; without one, a new tab waits for nothing. */
export function showPresence(): void {
  if (isShown || !channel || !('locks' in navigator)) return; // locks: only where the page came over TLS or from this machine
  isShown = true;
  void navigator.locks.request(NAME, { mode: 'shared' }, () => new Promise(() => undefined));
}

/** Asks the other tabs for a session for the page at `path`; one whose role may see it is preferred. Undefined when there is none. */
export async function askTabs(path: string): Promise<Shared | undefined> {
  if (!channel) return undefined;
  const isKnown = 'locks' in navigator;
  if (isKnown && !(await isAnyPresent())) return undefined;
  const { promise, resolve } = Promise.withResolvers<Shared | undefined>();
  // Over plain HTTP browsers offer no randomUUID; it only distinguishes those who ask.
  const id = String(Math.random());
  let second: Shared | undefined;
  const onMessage = ({ data }: MessageEvent<Message>): void => {
    if (data.kind !== 'give' || data.id !== id) return;
    if (data.fits) resolve(data.shared);
    else second ??= data.shared;
  };
  channel.addEventListener('message', onMessage);
  setTimeout(() => resolve(second), isKnown ? ANSWER_MS : SHORT_MS);
  post({ kind: 'ask', id, path });
  const shared = await promise;
  channel.removeEventListener('message', onMessage);
  return shared;
}

async function isAnyPresent(): Promise<boolean> {
  return Boolean((await navigator.locks.query()).held?.some(({ name }) => name === NAME));
}
