/** What one browser keeps of one chatbot, so that a reload loses nothing. */
export type Kept = {
  /** Pseudonymous; made with the first message. */
  visitorId: string | null;
  conversationId: string | null;
  /** Texts that the server may not have, with the ids they are sent under. */
  outgoing: readonly { clientMessageId: string; text: string }[];
  readId: string | null;
  draft: string;
};

const EMPTY: Kept = { visitorId: null, conversationId: null, outgoing: [], readId: null, draft: '' };

export type Keeper = {
  read(): Kept;
  write(change: Partial<Kept>): void;
  /** Forgets texts that were sent. */
  drop(sent: ReadonlySet<string | null>): void;
  /** Calls when another tab has changed something. */
  onOtherTab(work: (kept: Kept) => void): void;
};

/** Keeps it in the page's own storage; in memory alone where the browser allows none. */
export function createKeeper(chatbotId: string): Keeper {
  const key = `chat.${chatbotId}`;
  let inMemory = EMPTY;
  const read = (): Kept => {
    try {
      const text = localStorage.getItem(key);
      return text === null ? inMemory : { ...EMPTY, ...(JSON.parse(text) as Partial<Kept>) }; // written below, or by an earlier version
    } catch {
      return inMemory;
    }
  };
  const write = (change: Partial<Kept>): void => {
    inMemory = { ...read(), ...change };
    try {
      localStorage.setItem(key, JSON.stringify(inMemory));
    } catch {
      // Forbidden or full: the conversation lasts as long as the page.
    }
  };
  return {
    read,
    write,
    drop(sent) {
      const before = read().outgoing;
      const outgoing = before.filter(({ clientMessageId }) => !sent.has(clientMessageId));
      if (outgoing.length < before.length) write({ outgoing });
    },
    onOtherTab(work) {
      addEventListener('storage', (event) => {
        if (event.key === key) work(read());
      });
    },
  };
}

/** Whether the chat was open on the page before, in this tab. */
export const openState = {
  read(): boolean {
    try {
      return sessionStorage.getItem('chat.open') === 'true';
    } catch {
      return false;
    }
  },
  write(isOpen: boolean): void {
    try {
      sessionStorage.setItem('chat.open', String(isOpen));
    } catch {
      // The next page begins with a closed chat.
    }
  },
};
