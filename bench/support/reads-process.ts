import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { loadConfig } from '@partner-portal/service/config.ts';
import type { DatabaseAddress } from '@partner-portal/service/platform/db/host.ts';
import { createPool } from '@partner-portal/service/platform/db/pool.ts';
import { startSystem } from '@partner-portal/service/start-system.ts';
import pg from 'pg';

/**
 * The whole service, and for comparison a bare server that checks the same token and runs the statements that the service ran for the same path:
 * in one transaction, sent at once, without the service's counts of requests. It answers with the rows as they come.
 */

/** `path` is read once more, and what it sent to the database is what the bare server sends from then on. */
export type ReadsOrder = { path: string; authorization: string };
export type ReadsAnswer = { statements: number; bytes: number };
export type ReadsReady = { origin: string; bareOrigin: string };

type Sent = string | pg.QueryConfig;

/** Settings of the service are in the environment. */
process.once('message', (address: DatabaseAddress) => void start(address));
process.on('disconnect', () => process.exit(0));

async function start(address: DatabaseAddress): Promise<void> {
  const sent = recordQueries();
  const config = loadConfig();
  await startSystem(config, { isEmpty: true, print: () => undefined, signal: new AbortController().signal });
  const origin = config.http.publicBaseUrl;
  let script: Sent[] = [];
  const bareOrigin = await listenBare(address, () => script);
  process.on('message', ({ path, authorization }: ReadsOrder) => {
    void (async () => {
      const read = async (): Promise<number> => {
        const answer = await fetch(`${origin}${path}`, { headers: { authorization } });
        if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
        return (await answer.text()).length;
      };
      await read();
      let bytes = 0;
      // Jobs of the service may send something in between: the same twice is what the read sends.
      for (let before = ''; ; before = textsOf(script)) {
        sent.length = 0;
        bytes = await read();
        script = sent.filter((one) => !textsOf([one]).includes('rate_limit'));
        if (textsOf(script) === before) break;
      }
      process.send?.({ statements: script.length, bytes } satisfies ReadsAnswer);
    })();
  });
  process.send?.({ origin, bareOrigin } satisfies ReadsReady);
}

async function listenBare(address: DatabaseAddress, script: () => readonly Sent[]): Promise<string> {
  const pool = createPool(address, { name: 'bare', max: 20 });
  const secret = process.env['JWT_SECRET'] ?? '';
  const answer = async (authorization: string | undefined): Promise<string> => {
    checkToken(secret, authorization);
    const client = await pool.connect();
    try {
      const { stream } = (client as unknown as { connection: { stream: Socket } }).connection; // as in the service's own pool
      stream.cork();
      const results = Promise.all(script().map((one) => client.query(one as pg.QueryConfig)));
      stream.uncork();
      return JSON.stringify((await results).flatMap(({ rows }) => rows));
    } finally {
      client.release();
    }
  };
  const server = createServer((request, response) => {
    answer(request.headers.authorization).then(
      (text) => response.writeHead(200, { 'content-type': 'application/json' }).end(text),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  });
  const { promise, resolve } = Promise.withResolvers<void>();
  server.listen(0, '127.0.0.1', resolve);
  await promise;
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // listening on TCP
}

function checkToken(secret: string, authorization = ''): void {
  const [head = '', payload = '', signature = ''] = authorization.slice('Bearer '.length).split('.');
  const expected = createHmac('sha256', secret).update(`${head}.${payload}`).digest();
  if (!timingSafeEqual(expected, Buffer.from(signature, 'base64url'))) throw new Error('The signature is wrong.');
  const { exp } = JSON.parse(Buffer.from(payload, 'base64url').toString()) as { exp: number }; // signed by the bench
  if (exp * 1_000 < Date.now()) throw new Error('The token has expired.');
}

const textsOf = (script: readonly Sent[]): string => script.map((one) => (typeof one === 'string' ? one : one.text)).join(';');

/** Notes every statement that this process sends. */
function recordQueries(): Sent[] {
  const sent: Sent[] = [];
  const original = pg.Client.prototype.query;
  pg.Client.prototype.query = function (this: pg.Client, ...given: unknown[]) {
    const [first] = given;
    if (typeof first === 'string') sent.push(first);
    else if (typeof first === 'object' && first !== null && 'text' in first) sent.push({ ...(first as pg.QueryConfig) });
    if (sent.length > 10_000) sent.length = 0;
    return Reflect.apply(original, this, given);
  } as typeof original;
  return sent;
}
