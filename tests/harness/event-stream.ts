import assert from 'node:assert/strict';

/** The data of an event; tests look into it freely. */
// oxlint-disable-next-line typescript/no-explicit-any
type Data = any;
export type StreamEvent = { id: string; event: string; data: Data };

export type Stream = {
  events: StreamEvent[];
  /** Waits until the events so far satisfy a condition; returns them. */
  until(isThere: (events: StreamEvent[]) => boolean): Promise<StreamEvent[]>;
  /** Resolves when the server ends the stream. */
  ended: Promise<void>;
  close(): void;
};

/** Reads a stream of server-sent events; with a body, that of a POST. */
export async function openStream(url: string, headers: Record<string, string> = {}, body?: unknown): Promise<Stream> {
  const abort = new AbortController();
  const sent =
    body === undefined
      ? { headers }
      : { method: 'POST', headers: { ...headers, 'content-type': 'application/json' }, body: JSON.stringify(body) };
  const response = await fetch(url, { ...sent, signal: abort.signal });
  assert.equal(response.status, 200, response.statusText);
  const events: StreamEvent[] = [];
  let arrived = Promise.withResolvers<void>();
  const read = async (): Promise<void> => {
    let rest = '';
    const decoder = new TextDecoder();
    for await (const chunk of response.body ?? []) {
      rest += decoder.decode(chunk, { stream: true });
      const blocks = rest.split('\n\n');
      rest = blocks.pop() ?? '';
      for (const block of blocks) {
        const members = Object.fromEntries(
          block.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
        );
        if (members['event'] !== undefined)
          events.push({ id: members['id'] ?? '', event: members['event'], data: JSON.parse(members['data'] ?? 'null') });
      }
      arrived.resolve();
      arrived = Promise.withResolvers();
    }
  };
  const ended = read().catch(() => undefined);
  return {
    events,
    async until(isThere) {
      while (!isThere(events)) await arrived.promise;
      return [...events];
    },
    ended,
    close: () => abort.abort(),
  };
}
