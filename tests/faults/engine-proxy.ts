import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { connectionPrefix } from '@partner-portal/core/template/template.ts';

/** `unsent`: the engine never receives the call. `unanswered`: it performs the call, but the response is lost. */
export type Loss = 'unsent' | 'unanswered';

/** A proxy between the service and an engine that outlives it; holds the call during which the service is to be killed. */
export type EngineProxy = {
  url: string;
  /** Counts the calls made for this partner from now on and holds the `nth` for good. Resolves with its name once it is held. */
  hold(partnerId: string, nth: number, loss: Loss): Promise<string>;
  /** Names of the calls counted since `hold`, oldest first. */
  counted(): readonly string[];
  close(): Promise<void>;
};

/** Calls that belong to the process and to no attempt: session, pieces, executions. */
const SHARED = /^\/api\/v1\/(authentication|pieces|webhooks|flow-runs)\b/;

type Hold = { partnerId: string; nth: number; loss: Loss; reached: (name: string) => void };

export async function startEngineProxy(engineUrl: string): Promise<EngineProxy> {
  let hold: Hold | undefined;
  let names: string[] = [];
  const count = (active: Hold, call: Call): boolean => {
    if (SHARED.test(call.path) || isOfAnother(call, active.partnerId)) return false;
    names.push(nameOf(call));
    return names.length === active.nth;
  };
  const { url, close } = await startProxy(engineUrl, async (call, ask) => {
    const held = hold && count(hold, call) ? hold : undefined;
    const answer = held?.loss === 'unsent' ? null : await ask();
    if (held) return (held.reached(nameOf(call)), null);
    return answer;
  });
  return {
    url,
    hold(partnerId, nth, loss) {
      names = [];
      return new Promise((reached) => (hold = { partnerId, nth, loss, reached }));
    },
    counted: () => names,
    close,
  };
}

type Call = { method: string; path: string; body: string };

type Answer = { status: number; type: string | null; text: string };

/** A proxy in front of the engine. `answer` asks the engine or does not; a call answered by null is held for good. */
export async function startProxy(
  engineUrl: string,
  answer: (call: Call, ask: () => Promise<Answer>) => Promise<Answer | null>,
): Promise<{ url: string; close(): Promise<void> }> {
  const serve = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(Buffer.from(chunk));
    const call = { method: incoming.method ?? 'GET', path: incoming.url ?? '/', body: Buffer.concat(chunks).toString() };
    const given = await answer(call, () => forward(engineUrl, call, incoming.headers));
    if (given) outgoing.writeHead(given.status, given.type === null ? {} : { 'content-type': given.type }).end(given.text);
  };
  // The caller may be dead by now.
  const server = createServer((incoming, outgoing) => void serve(incoming, outgoing).catch(() => outgoing.destroy()));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // listening on TCP
  return {
    url: `http://127.0.0.1:${port}`,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

async function forward(engineUrl: string, { method, path, body }: Call, received: IncomingMessage['headers']): Promise<Answer> {
  const { host: _host, connection: _connection, 'content-length': _length, ...headers } = received;
  const sent = { method, headers: headers as Record<string, string>, ...(body === '' ? {} : { body }) }; // of one value each
  const answer = await fetch(`${engineUrl}${path}`, sent);
  return { status: answer.status, type: answer.headers.get('content-type'), text: await answer.text() };
}

/** Connections are bound in parallel: a late one must not be counted for the next partner. */
function isOfAnother({ path, body }: Call, partnerId: string): boolean {
  const externalId = path.includes('/app-connections') ? /"externalId":"([^"]+)"/.exec(body)?.[1] : undefined;
  return externalId !== undefined && !externalId.startsWith(connectionPrefix(partnerId));
}

/** Returns `GET flows`, `IMPORT_FLOW flow` or `POST app-connections`; the operation of a flow is in its body. */
function nameOf({ method, path, body }: Call): string {
  const [, noun = '', id] = /^\/api\/v1\/([^/?]+)(?:\/([^?]+))?/.exec(path) ?? [];
  if (noun !== 'flows' || id === undefined) return `${method} ${noun}`;
  return `${/"type":"([A-Z_]+)"/.exec(body)?.[1] ?? method} flow`;
}
