import type { StreamAnswer, StreamEvent } from '#platform/http/answer.ts';

/**
 * Runs work that sends events and ends with a last one. Resolves with the first event, so that work that fails before it rejects like any other
 * handler. What it sends meanwhile waits here: the answers of a model are bounded.
 */
export async function streamWork(work: (send: (event: StreamEvent) => void) => Promise<StreamEvent>): Promise<StreamAnswer> {
  const waiting: StreamEvent[] = [];
  let wake: (() => void) | undefined;
  let end: { error?: unknown } | undefined;
  const send = (event: StreamEvent): void => {
    waiting.push(event);
    wake?.();
  };
  void work(send).then(
    (last) => {
      end = {};
      send(last);
    },
    (error: unknown) => {
      end = { error };
      wake?.();
    },
  );
  const next = async (): Promise<StreamEvent | undefined> => {
    while (waiting.length === 0 && !end) await new Promise<void>((resolve) => (wake = resolve));
    const event = waiting.shift();
    if (event) return event;
    if (end && 'error' in end) throw end.error;
    return undefined;
  };
  const first = await next();
  return {
    kind: 'stream',
    events: (async function* () {
      for (let event = first; event; event = await next()) yield event;
    })(),
  };
}
