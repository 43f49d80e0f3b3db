import { once } from 'node:events';
import { createServer as createHttpServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net';
import type { KeyRing } from '@partner-portal/core/credential/vault.ts';
import { createDataKeys } from '@partner-portal/service/modules/1-ledger/data-keys/index.ts';
import { events, type Events, publishEvent, type Reaction } from '@partner-portal/service/modules/1-ledger/events/index.ts';
import { IN_FLIGHT_MAX, type Webhooks, webhooks } from '@partner-portal/service/modules/5-reactions/webhooks/index.ts';
import { createSecretSeal, newSigningSecret } from '@partner-portal/service/modules/5-reactions/webhooks/endpoints/secret-seal.ts';
import type { Database, SystemTx, Tx } from '@partner-portal/service/platform/db/tx.ts';
import { newId } from '@partner-portal/service/platform/ids.ts';
import { type Notices, openNotices } from '@partner-portal/service/platform/notify.ts';
import { createSafeFetch, type Lookup, type SafeFetch } from '@partner-portal/service/platform/outbound/safe-fetch.ts';
import type pg from 'pg';
import { dueAtOnce } from './due-at-once.ts';
import { startTestService, type TestPlatform, type TestService } from './service.ts';
import { OLD_RING } from './key-rings.ts';
import { addPartner } from './world.ts';

/** The service with its events and its outbound webhooks; receivers are real servers on the loopback address. */
export type DeliveryService = TestService & {
  events: Events;
  hooks: Webhooks;
  /** A second set of modules on the same database, as another process has them. */
  another(): { events: Events; hooks: Webhooks };
  notices: Notices;
  fetch: SafeFetch;
  addEndpoint(endpoint: { url: string; partnerId?: string; isActive?: boolean }): Promise<TestEndpoint>;
  addAgency(): Promise<string>;
  /** An event of its own transaction; `client_user.invited` serves for any type. */
  publish(partnerId?: string, email?: string): Promise<string>;
  /**
   * Runs what is due until nothing is: reactions, then deliveries. What fails is attempted once, however long this takes: its next attempt is the
   * next call's.
   */
  drain(): Promise<void>;
  deliveries(where?: string, values?: unknown[]): Promise<DeliveryRow[]>;
  query<Row extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<Row[]>;
};
export type TestEndpoint = { id: string; partnerId: string; secret: string };
export type DeliveryRow = {
  id: string;
  endpoint_id: string;
  event_id: string;
  status: string;
  reason: string | null;
  attempt_count: number;
  interrupted_count: number;
  body: string;
  attempts: { n: number; http_status: number | null; duration_ms: number | null; error: string | null; response_preview: string | null }[];
};

export type DeliveryOptions = {
  reactions?: readonly Reaction[];
  lookup?: Lookup;
  now?: () => Date;
  /** Timeout of an attempt in ms; replaces ATTEMPT_MS. */
  attemptMs?: number;
};

export async function startDeliveryService(options: DeliveryOptions = {}): Promise<DeliveryService> {
  const made: { fetches: SafeFetch[]; notices: Notices[]; stops: (() => Promise<void>)[] } = { fetches: [], notices: [], stops: [] };
  let first: { events: Events; hooks: Webhooks; notices: Notices; fetch: SafeFetch } | undefined;
  const build = (platform: TestPlatform) => {
    const notices = openNotices(platform.database.configFor('portal_service'), platform.log);
    const clock = options.now ? { now: options.now } : platform.clock;
    const outbound = createSafeFetch({
      allowedHosts: ['127.0.0.1', 'receiver.test'],
      connectionsPerHost: IN_FLIGHT_MAX,
      ...(options.lookup ? { lookup: options.lookup } : {}),
    });
    const { attemptMs } = options;
    const fetch: SafeFetch =
      attemptMs === undefined ? outbound : { ...outbound, call: (call) => outbound.call({ ...call, timeoutMs: attemptMs }) };
    const hooks = buildHooks({ ...platform, clock }, notices, fetch);
    const eventModule = events({ ...platform, notices, reactions: [hooks.fanOut, ...(options.reactions ?? [])] });
    made.fetches.push(fetch);
    made.notices.push(notices);
    made.stops.push(async () => {
      await eventModule.stop();
      await hooks.stop();
    });
    const { query } = platform.database;
    const runOnce = async (): Promise<number> => {
      await dueAtOnce(query, 'event');
      const count = await eventModule.runOnce();
      await dueAtOnce(query, 'delivery_queue');
      return count;
    };
    return { events: { ...eventModule, runOnce }, hooks, notices, fetch };
  };
  const service = await startTestService({
    modules: (platform) => {
      first = build(platform);
      return [first.hooks];
    },
  });
  if (!first) throw new Error('The modules were not made.');
  const { database, db, world } = service;
  const { query } = database;
  let agencies = 0;
  const { events: eventModule, hooks } = first;
  return {
    ...service,
    ...first,
    another: () => build(service),
    query,
    addEndpoint: (endpoint) => db.asSystem('seed', (tx) => addEndpoint(tx, { partnerId: world.partnerId, ...endpoint })),
    addAgency: () =>
      db.asSystem('seed', (tx) => addPartner(tx, { name: `Agency ${++agencies}`, slug: `agency-${agencies}`, planId: world.planId })),
    publish: (partnerId = world.partnerId, email = 'pat@example.com') => publishInvited(db, partnerId, email),
    async drain() {
      while ((await eventModule.runOnce()) > 0);
      const [{ since } = { since: null }] = await query<{ since: Date }>('select clock_timestamp() as since');
      const isDue = async () => {
        await dueAtOnce(query, 'delivery_queue');
        return (await query(DUE_AND_NOT_TRIED_SINCE, [since])).length > 0;
      };
      while (await isDue()) await hooks.sender.runOnce();
    },
    deliveries: (where = 'true', values = []) =>
      query<DeliveryRow>(
        `select d.id, d.endpoint_id, d.event_id, d.status, d.reason, d.attempt_count, d.interrupted_count, d.body,
          coalesce((select json_agg(json_build_object('n', a.n, 'http_status', a.http_status, 'duration_ms', a.duration_ms, 'error', a.error, 'response_preview', a.response_preview) order by a.n)
            from delivery_attempt a where a.delivery_id = d.id), '[]') as attempts
        from delivery d where ${where} order by d.id`,
        values,
      ),
    async close() {
      for (const stop of made.stops) await stop();
      await Promise.all([...made.fetches, ...made.notices].map((one) => one.close()));
      await service.close();
    },
  };
}

function buildHooks(platform: TestPlatform, notices: Notices, fetch: SafeFetch): Webhooks {
  return webhooks({ ...platform, notices, fetch });
}

const DUE_AND_NOT_TRIED_SINCE = `select from delivery_queue q where q.due_at <= now() and not exists (
  select from delivery_attempt a where a.delivery_id = q.delivery_id and a.at >= $1 and a.duration_ms is not null) limit 1`;

/** Inserts an endpoint without the route's check of the address. */
export async function addEndpoint(tx: SystemTx, endpoint: { partnerId: string; url: string; isActive?: boolean }): Promise<TestEndpoint> {
  const { partnerId, url, isActive = true } = endpoint;
  const [id, secret] = [newId(), newSigningSecret()];
  const sealed = await createSecretSeal(createDataKeys(OLD_RING)).seal(tx, { id, partnerId }, secret);
  await tx
    .insertInto('webhookEndpoint')
    .values({ id, partnerId, url, isActive, ...sealed })
    .execute();
  return { id, partnerId, secret };
}

/** Opens the stored signing secret of an endpoint with the keys of this ring. */
export function openStoredSecret(db: Database, ring: KeyRing, endpoint: { id: string; partnerId: string }): Promise<string> {
  return db.asSystem('seed', async (tx) => {
    const row = await tx
      .selectFrom('webhookEndpoint as e')
      .leftJoin('partnerDataKey as k', 'k.partnerId', 'e.partnerId')
      .select(['e.secretSealed', 'e.secretKeyId', 'k.id as dataKeyId', 'k.sealedKey as dataKeySealed'])
      .select(['k.masterKeyId as dataKeyMasterId', 'k.destroyedAt as dataKeyDestroyedAt'])
      .where('e.id', '=', endpoint.id)
      .executeTakeFirstOrThrow();
    const { secretSealed, secretKeyId } = row;
    if (!secretSealed || secretKeyId === null) throw new Error('The endpoint was removed.');
    return createSecretSeal(createDataKeys(ring)).open(endpoint, { ...row, secretSealed, secretKeyId });
  });
}

export async function publishInvited(db: Database, partnerId: string, email: string): Promise<string> {
  return db.asTenant({ kind: 'tenant', partnerId, clientId: null }, (tx) => publishInvitedIn(tx, partnerId, email));
}

export async function publishInvitedIn(tx: Tx, partnerId: string, email: string): Promise<string> {
  const { id } = await publishEvent(tx, {
    partnerId,
    type: 'client_user.invited',
    data: {
      partnerId,
      partnerName: 'Acme Agency',
      portalUrl: 'http://portal.test/dashboard',
      invitation: { id: newId(), email, expiresAt: '2026-12-01T00:00:00.000Z' },
      client: { id: newId(), name: 'Oak Street Dental', externalRef: null },
    },
  });
  return id;
}

export type Received = { headers: IncomingHttpHeaders; body: string; path: string };
export type Receiver = {
  url: string;
  origin: string;
  received: Received[];
  /** Resolves once `count` deliveries have arrived. */
  arrived(count: number): Promise<void>;
  /** Writes the response; status 200 unless set. */
  answer: (request: Received, response: ServerResponse, socket: Socket) => void;
  close(): Promise<void>;
};

/** An endpoint's own server. */
export async function startReceiver(): Promise<Receiver> {
  const waiting: { count: number; resolve: () => void }[] = [];
  const receiver: Receiver = {
    url: '',
    origin: '',
    received: [],
    arrived: (count) =>
      new Promise((resolve) => {
        if (receiver.received.length >= count) resolve();
        else waiting.push({ count, resolve });
      }),
    answer: (_request, response) => void response.end('thank you'),
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  const server = createHttpServer((request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const one = { headers: request.headers, body: Buffer.concat(chunks).toString(), path: request.url ?? '' };
      receiver.received.push(one);
      receiver.answer(one, response, request.socket);
      for (const { count, resolve } of waiting) if (receiver.received.length >= count) resolve();
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  receiver.origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // listening on TCP
  receiver.url = `${receiver.origin}/hook`;
  return receiver;
}

/** A server that speaks no HTTP: `talk` gets each connection. */
export async function startRawReceiver(talk: (socket: Socket) => void): Promise<{ url: string; close(): Promise<void> }> {
  const sockets = new Set<Socket>();
  const server: Server = createTcpServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
    talk(socket);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`, // listening on TCP
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
