/** One message of a text/event-stream. `id` is the last one received, which a reconnect sends as `last-event-id`. */
export type StreamEvent = { id: string | undefined; event: string; data: string };

/** Reads the events of a text/event-stream body; releases the connection when the caller stops reading. */
export async function* readEvents(body: ReadableStream<Uint8Array<ArrayBuffer>>): AsyncGenerator<StreamEvent> {
  // No page needs it to be shown.
  const { EventSourceParserStream } = await import('eventsource-parser/stream');
  const reader = body.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream()).getReader();
  let id: string | undefined;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      id = value.id ?? id;
      yield { id, event: value.event ?? 'message', data: value.data };
    }
  } finally {
    // A connection that failed has nothing left to cancel.
    await reader.cancel().catch(() => undefined);
  }
}
