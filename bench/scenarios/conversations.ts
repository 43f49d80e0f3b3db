import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import type { TurnTask } from '@partner-portal/tests/harness/turn-process.ts';
import { Pool } from 'undici';
import type { ChatUsage } from '../support/chat-service.ts';
import { type Child, startChild } from '../support/child.ts';
import { type BenchDatabase, seedWorkflows } from '../support/database.ts';
import { highestMemory, memoryText } from '../support/memory.ts';
import { summarise, timingText } from '../support/measure.ts';

const AGENCIES = 20;
const CONVERSATIONS = 200;
const PER_SECOND = 20;
const TOKENS = 24;
const TOKEN_MS = 400;

/** Time at which the model sent the first part of each answer, by the number in the question. */
type Models = { server: Server; url: string; host: string; sentAt: Map<string, number> };
type Asked = (n: string) => Promise<number>;

/**
 * Streamed turns of 200 conversations of 20 agencies: from the model's first part until a visitor has it, processor time and memory; compared with a bare
 * proxy that passes the same stream on.
 */
export async function benchConversations(database: BenchDatabase, say: (line: string) => void): Promise<void> {
  const chatbots = await seedChatbots(database);
  const models = await startModels();
  const task: TurnTask = {
    address: database.addressOf('portal_service'),
    engineUrl: 'http://127.0.0.1:9',
    modelsUrl: models.url,
    modelsHost: models.host,
    connections: 20,
  };
  const service = await startChild<TurnTask, { origin: string }, object, ChatUsage>(
    new URL('../support/chat-service.ts', import.meta.url),
    task,
  );
  const bare = await startChild<{ modelsUrl: string }, { origin: string }, object, ChatUsage>(
    new URL('../support/bare-stream.ts', import.meta.url),
    {
      modelsUrl: models.url,
    },
  );
  const toService = new Pool(service.ready.origin, { connections: 500 });
  const toBare = new Pool(bare.ready.origin, { connections: 250 });
  try {
    const visitors: Visitor[] = [];
    for (let n = 0; n < CONVERSATIONS + AGENCIES; n += 1) visitors.push(await openVisitor(toService, chatbots[n % AGENCIES], n));
    // Given back to the chatbot; the first turns warm the process up.
    await database.admin(`update conversation set status = 'open', waiting_since = null`);
    await Promise.all(chatbots.map(async (_id, at) => visit(toService, models, visitors)(`warm${at}`)));
    for (const [name, child, ask] of [
      ['bare proxy', bare.child, throughBare(toBare, models)],
      ['service', service.child, visit(toService, models, visitors)],
    ] as const)
      await measure(name, child, ask, say);
  } finally {
    await Promise.all([toService.destroy(), toBare.destroy()]);
    await Promise.all([service.child.stop(), bare.child.stop()]);
    models.server.closeAllConnections();
    models.server.close();
  }
}

async function measure(name: string, child: Child<object, ChatUsage>, ask: Asked, say: (line: string) => void): Promise<void> {
  const before = await child.ask({});
  const all = async (): Promise<number[]> => {
    const beganAt = performance.now();
    const asked: Promise<number>[] = [];
    for (let n = 0; n < CONVERSATIONS; n += 1) {
      await delay(Math.max(0, (n * 1_000) / PER_SECOND - (performance.now() - beganAt)));
      asked.push(ask(`${name[0]}${n}`));
    }
    return Promise.all(asked);
  };
  const { result, memory } = await highestMemory(child.pid, all());
  const after = await child.ask({});
  say(`${name}: first part, model to visitor: ${timingText(summarise(result))}`);
  say(
    `${name}: ${((after.cpuMs - before.cpuMs) / CONVERSATIONS).toFixed(1)} ms of processor time a turn of ${TOKENS} parts; ${memoryText(memory)}, ${((memory?.rssMb ?? 0) - before.memoryMb).toFixed(0)} MB more than idle`,
  );
}

type Visitor = { base: string; headers: Record<string, string>; conversationId: string; body: AsyncIterable<Buffer> & { destroy(): void } };

/** A visitor who has asked before and whose stream is open. */
async function openVisitor(pool: Pool, chatbot: string | undefined, n: number): Promise<Visitor> {
  const base = `/chatbot/public/${chatbot}`;
  // Each visitor has its own address.
  const headers = {
    'content-type': 'application/json',
    prefer: 'respond-async',
    'x-forwarded-for': `10.0.${Math.floor(n / 250)}.${n % 250}`,
  };
  const sent = await pool.request({
    path: `${base}/messages`,
    method: 'POST',
    headers,
    body: JSON.stringify({ text: 'I want to talk to a human' }),
  });
  const { conversationId } = (await sent.body.json()) as { conversationId: string }; // the route's reply
  const { body } = await pool.request({ path: `${base}/conversations/${conversationId}/stream`, method: 'GET', headers });
  return { base, headers, conversationId, body };
}

/** Asks in a conversation whose stream is open, and waits for the whole reply. */
function visit(pool: Pool, models: Models, visitors: Visitor[]): Asked {
  return async (n) => {
    const visitor = visitors.pop();
    if (!visitor) throw new Error('There are too few visitors.');
    const { base, headers, conversationId, body } = visitor;
    const sent = await pool.request({
      path: `${base}/messages`,
      method: 'POST',
      headers,
      body: JSON.stringify({ text: `Which opening hours? #${n}#`, conversationId }),
    });
    await sent.body.dump();
    return readFirst(
      body,
      models,
      n,
      (text) => text.includes('event: delta'),
      (text) => text.includes(`word${TOKENS - 1}"`) || /event: message\ndata: [^\n]*word1 /.test(text),
    );
  };
}

function throughBare(pool: Pool, models: Models): Asked {
  return async (n) => {
    const { body } = await pool.request({ path: '/', method: 'POST', body: JSON.stringify({ messages: [{ content: `#${n}#` }] }) });
    return readFirst(
      body,
      models,
      n,
      (text) => text.includes('"content"'),
      (text) => text.includes('[DONE]'),
    );
  };
}

async function readFirst(
  body: AsyncIterable<Buffer> & { destroy(): void },
  models: Models,
  n: string,
  isFirst: (text: string) => boolean,
  isLast: (text: string) => boolean,
): Promise<number> {
  let text = '';
  let lateMs: number | undefined;
  for await (const chunk of body) {
    text += chunk.toString();
    if (lateMs === undefined && isFirst(text)) lateMs = performance.now() - (models.sentAt.get(n) ?? Number.NaN);
    if (isLast(text)) break;
  }
  body.destroy();
  return lateMs ?? Number.NaN;
}

async function startModels(): Promise<Models> {
  const sentAt = new Map<string, number>();
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    let text = '';
    for await (const chunk of request) text += String(chunk);
    const n = /#(\w+)#/.exec(text)?.[1] ?? '';
    const chunkOf = (members: object): string =>
      `data: ${JSON.stringify({ id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model: 'gpt', choices: [], ...members })}\n\n`;
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    // A model thinks before it writes.
    await delay(400);
    sentAt.set(n, performance.now());
    for (let part = 0; part < TOKENS; part += 1) {
      response.write(chunkOf({ choices: [{ index: 0, delta: { content: `word${part} ` }, finish_reason: null }] }));
      await delay(TOKEN_MS);
    }
    response.write(chunkOf({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }));
    response.write(chunkOf({ usage: { prompt_tokens: 400, completion_tokens: TOKENS, total_tokens: 400 + TOKENS } }));
    response.end('data: [DONE]\n\n');
  };
  const server = createServer((request, response) => void answer(request, response).catch(() => response.destroy()));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // listening on TCP
  return { server, url: `http://127.0.0.1:${port}`, host: `127.0.0.1:${port}`, sentAt };
}

/** One chatbot for each agency, with a passage that answers the question. */
async function seedChatbots(database: BenchDatabase): Promise<string[]> {
  await seedWorkflows(database, AGENCIES, 1);
  await database.admin(`update plan set features = features || '{"chatbot": true}'`);
  await database.admin(
    `insert into credential (partner_id, provider, source_mode) select distinct partner_id, 'openai', 'platform' from client`,
  );
  const rows = await database.admin<{ id: string }>(
    `with bot as (insert into chatbot (partner_id, client_id, is_active, name, greeting, provider, model)
        select partner_id, id, true, 'Mia', 'Hello.', 'openai', 'gpt-5' from client returning *),
      document as (insert into knowledge_document (partner_id, client_id, chatbot_id, kind, title, status, passages)
        select partner_id, client_id, id, 'text', 'Text', 'ready', 1 from bot returning *),
      passage as (insert into knowledge_passage (partner_id, client_id, chatbot_id, document_id, n, heading, content, search)
        select partner_id, client_id, chatbot_id, id, 1, 'Opening hours', 'Nine to six.', to_tsvector('simple', 'opening hours nine six') from document),
      word as (insert into knowledge_word (chatbot_id, word, partner_id, client_id, passages)
        select chatbot_id, w, partner_id, client_id, 1 from document, unnest(array['opening', 'hours', 'nine', 'six']) w)
      select id from bot`,
  );
  return rows.map(({ id }) => id);
}
