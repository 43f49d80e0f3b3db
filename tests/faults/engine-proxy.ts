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
  const serve = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(Buffer.from(chunk));
    const call = { method: incoming.method ?? 'GET', path: incoming.url ?? '/', body: Buffer.concat(chunks).toString() };
    const held = hold && count(hold, call) ? hold : undefined;
    const name = nameOf(call);
    if (held?.loss === 'unsent') return held.reached(name);
    const { status, type, text } = await forward(engineUrl, call, incoming.headers);
    if (held) return held.reached(name);
    outgoing.writeHead(status, type === null ? {} : { 'content-type': type });
    outgoing.end(text);
  };
  const count = (active: Hold, call: Call): boolean => {
    if (SHARED.test(call.path) || isOfAnother(call, active.partnerId)) return false;
    names.push(nameOf(call));
    return names.length === active.nth;
  };
  // The caller may be dead by now.
  const server = createServer((incoming, outgoing) => void serve(incoming, outgoing).catch(() => outgoing.destroy()));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // listening on TCP
  return {
    url: `http://127.0.0.1:${port}`,
    hold(partnerId, nth, loss) {
      names = [];
      return new Promise((reached) => (hold = { partnerId, nth, loss, reached }));
    },
    counted: () => names,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

type Call = { method: string; path: string; body: string };

async function forward(engineUrl: string, { method, path, body }: Call, headers: IncomingMessage['headers']) {
  const { 'content-type': contentType, authorization } = headers;
  const answer = await fetch(`${engineUrl}${path}`, {
    method,
    headers: { ...(contentType ? { 'content-type': contentType } : {}), ...(authorization ? { authorization } : {}) },
    ...(body === '' ? {} : { body }),
  });
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
