import { setTimeout as delay } from 'node:timers/promises';
import { ingestToken } from '@partner-portal/core/execution/token.ts';

/** Events that keep arriving. Each sender repeats its event, with the same key, until it is accepted. */
export type Load = {
  /** The executions that the answers 202 to each event named: one, unless an event was started twice. */
  accepted: ReadonlyMap<string, ReadonlySet<string>>;
  /** How many answers had each status; `lost`: no process listened, the connection broke, or no answer came in time. */
  answers: ReadonlyMap<string, number>;
  /** The longest time in which no event was accepted, since this was asked for the last time, in ms. */
  takeLongestGap(): number;
  /** Begins no further event, and waits until all that were begun are accepted. */
  stop(): Promise<void>;
};

const AGAIN_MS = 500;
/** As many senders have it: they do not wait longer for an answer. */
const ANSWER_MS = 10_000;
const OPEN_MAX = 4_000;
const TICK_MS = 5;

export function startLoad(options: { baseUrl: string; secret: string; agents: readonly string[]; perSecond: number }): Load {
  const { agents, baseUrl, secret, perSecond } = options;
  const urls = agents.map((agent) => `${baseUrl}/webhooks/agents/${agent}?token=${ingestToken(secret, agent)}`);
  const accepted = new Map<string, Set<string>>();
  const answers = new Map<string, number>();
  const startedAt = performance.now();
  let acceptedAt = startedAt;
  let longestMs = 0;
  let isStopped = false;

  const noteGap = (now: number): void => void (longestMs = Math.max(longestMs, now - acceptedAt));
  const post = async (n: number): Promise<string | undefined> => {
    const answer = await fetch(urls[n % urls.length] ?? '', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'idempotency-key': `event-${n}` },
      body: JSON.stringify({ name: `Sender ${n}`, email: `sender${n}@example.com`, message: 'Do you treat knees?' }),
      signal: AbortSignal.timeout(ANSWER_MS),
    })
      .then(async (response) => ({ status: String(response.status), text: await response.text() }))
      .catch(() => ({ status: 'lost', text: '' }));
    answers.set(answer.status, (answers.get(answer.status) ?? 0) + 1);
    return answer.status === '202' ? /"executionId":"([^"]+)"/.exec(answer.text)?.[1] : undefined;
  };
  const send = async (n: number): Promise<void> => {
    const ids = new Set<string>();
    for (let tries = 0; ids.size === 0; tries += 1) {
      if (tries > 0) await delay(AGAIN_MS);
      const id = await post(n);
      if (id !== undefined) ids.add(id);
    }
    const now = performance.now();
    noteGap(now);
    acceptedAt = now;
    accepted.set(`event-${n}`, ids);
    // Some senders do not read their answer, and send the event once more.
    const again = n % 10 === 0 ? await post(n) : undefined;
    if (again !== undefined) ids.add(again);
  };
  const open = new Set<Promise<void>>();
  const sending = (async (): Promise<void> => {
    for (let n = 0; !isStopped; await delay(TICK_MS)) {
      const due = Math.floor(((performance.now() - startedAt) / 1000) * perSecond);
      for (; n < due && open.size < OPEN_MAX; n += 1) {
        const one: Promise<void> = send(n).finally(() => open.delete(one));
        open.add(one);
      }
    }
    await Promise.all(open);
  })();
  return {
    accepted,
    answers,
    takeLongestGap() {
      noteGap(performance.now());
      const taken = longestMs;
      longestMs = 0;
      return taken;
    },
    async stop() {
      isStopped = true;
      await sending;
    },
  };
}
