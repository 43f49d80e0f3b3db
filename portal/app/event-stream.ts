/** One message of a text/event-stream. */
export type StreamEvent = { id: string | undefined; event: string; data: string };

/**
 * A parser to be fed with pieces of text in any cut. It keeps what is incomplete and gives back the finished events.
 * Rules of the HTML standard: lines end with LF, CR or CRLF; a blank line ends an event; lines that begin with a colon are heartbeats.
 */
export function createEventParser(): (chunk: string) => StreamEvent[] {
  let rest = '';
  let id: string | undefined;
  let event = '';
  let data: string[] = [];
  const takeLine = (line: string, into: StreamEvent[]): void => {
    if (line === '') {
      if (data.length > 0) into.push({ id, event: event || 'message', data: data.join('\n') });
      event = '';
      data = [];
      return;
    }
    if (line.startsWith(':')) return;
    const colon = line.indexOf(':');
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (field === 'data') data.push(value);
    else if (field === 'event') event = value;
    else if (field === 'id') id = value;
  };
  return (chunk) => {
    const events: StreamEvent[] = [];
    // A CR at the very end may be half of a CRLF: it waits for the next piece.
    const text = rest + chunk;
    const usable = text.endsWith('\r') ? text.slice(0, -1) : text;
    const lines = usable.split(/\r\n|\r|\n/);
    rest = (lines.pop() ?? '') + (text.endsWith('\r') ? '\r' : '');
    for (const line of lines) takeLine(line, events);
    return events;
  };
}
