import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startAiService } from '@partner-portal/tests/harness/ai.ts';
import { answerText, type ModelServer } from '@partner-portal/tests/harness/model-server.ts';
import type { BenchDatabase } from '../support/database.ts';
import { summarise, timingText } from '../support/measure.ts';

const CALLS = 200;
const WARM = 30;
const PARTS = Array.from({ length: 40 }, (_, n) => `word ${n} `);

/** A way to the model: what is sent where. */
type Way = { name: string; url: string; headers: Record<string, string>; body: object };
/** Times in milliseconds: until the provider has the request, from its first token to the caller's first, and from its last to the end. */
type Times = { before: number; first: number; after: number };

/** Overhead of the proxy in a call of a model: before the provider has the request, to its first token, and after its last; compared with a bare streaming proxy in the same process. */
export async function benchAi(database: BenchDatabase, say: (line: string) => void): Promise<void> {
  const service = await startAiService({ database: database.asTestDatabase() });
  const bare = await startBareProxy(service.models.url);
  try {
    await service.saveKey('owner', 'openai', 'platform');
    await service.leaveCredits(1_000_000);
    const origin = await service.listen();
    const messages = [{ role: 'user', content: 'What are your opening hours on Saturday?' }];
    const ways: Way[] = [
      {
        name: 'proxy     ',
        url: `${origin}/ai-proxy/chat`,
        headers: service.bearer('owner'),
        body: { provider: 'openai', model: 'gpt-5', messages, stream: true, maxTokens: 200 },
      },
      { name: 'bare proxy', url: `${bare.url}/v1/chat/completions`, headers: {}, body: { model: 'gpt-5', messages, stream: true } },
    ];
    const times = new Map<string, Times[]>(ways.map(({ name }) => [name, []]));
    for (let call = 0; call < WARM + CALLS; call += 1)
      for (const way of ways) {
        const measured = await measureCall(service.models, way);
        if (call >= WARM) times.get(way.name)?.push(measured);
      }
    for (const { name } of ways) {
      const of = (part: keyof Times): string => timingText(summarise((times.get(name) ?? []).map((one) => one[part])));
      say(`${name} before the provider has the request: ${of('before')}`);
      say(`${name} from its first token to the caller's: ${of('first')}${name === 'proxy     ' ? ' (target: 50 ms or less)' : ''}`);
      say(`${name} from its last token to the end:       ${of('after')}`);
    }
    let statements = 0;
    const unlisten = service.db.onStatement(() => (statements += 1));
    if (ways[0]) await measureCall(service.models, ways[0]);
    unlisten();
    say(`statements of a call: ${statements}, BEGIN, scope and COMMIT included`);
  } finally {
    bare.close();
    await service.close();
  }
}

async function measureCall(models: ModelServer, { url, headers, body }: Way): Promise<Times> {
  const at = { received: 0, first: 0, last: 0 };
  models.behave(async (call, response) => {
    at.received = performance.now();
    const write = response.write.bind(response) as (chunk: string) => boolean;
    response.write = ((chunk: string) => {
      if (chunk.includes(PARTS[0] ?? '')) at.first ||= performance.now();
      return write(chunk);
    }) as typeof response.write; // the server writes texts only
    await answerText(call, response, PARTS);
    at.last = performance.now();
  });
  const start = performance.now();
  const reply = await fetch(url, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!reply.ok || !reply.body) throw new Error(`The call was refused: ${await reply.text()}`);
  let seen = 0;
  const decoder = new TextDecoder();
  for await (const chunk of reply.body) if (seen === 0 && decoder.decode(chunk).includes(PARTS[0] ?? '')) seen = performance.now();
  return { before: at.received - start, first: seen - at.first, after: performance.now() - at.last };
}

/** Forwards requests and pipes the responses: what no proxy can be faster than. */
async function startBareProxy(target: string): Promise<{ url: string; close(): void }> {
  const server = createServer((incoming, outgoing) => {
    const upstream = request(
      `${target}${incoming.url ?? ''}`,
      { method: incoming.method, headers: { 'content-type': 'application/json' } },
      (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(outgoing);
      },
    );
    incoming.pipe(upstream);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // listening on TCP
  return {
    url: `http://127.0.0.1:${port}`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
