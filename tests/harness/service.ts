import assert from 'node:assert/strict';
import type { RouteShape } from '@partner-portal/contract/define-route.ts';
import { routes } from '@partner-portal/contract/index.ts';
import type { CollectionRules } from '@partner-portal/core/billing/collection.ts';
import type { InvitationCaps } from '@partner-portal/core/people/invitation-caps.ts';
import type { StrangerCaps } from '@partner-portal/core/mail/strangers.ts';
import type { KeyRing } from '@partner-portal/core/credential/vault.ts';
import type { MalwareScan } from '@partner-portal/service/adapters/malware-scan.ts';
import { createFileScan } from '@partner-portal/service/scan-uploads.ts';
import type { Mailer } from '@partner-portal/service/adapters/mailer.ts';
import { recordRefusal } from '@partner-portal/service/modules/1-ledger/audit/index.ts';
import {
  createSessionRules,
  identity,
  type IdentityOptions,
  type SessionRuleOptions,
} from '@partner-portal/service/modules/2-tenancy/identity/index.ts';
import { createDataKeys, type DataKeys } from '@partner-portal/service/modules/1-ledger/data-keys/index.ts';
import { files, type FileStore } from '@partner-portal/service/modules/1-ledger/files/index.ts';
import { mail } from '@partner-portal/service/modules/1-ledger/mail/index.ts';
import type { Invoicing } from '@partner-portal/service/modules/2-tenancy/billing/index.ts';
import { createNotify } from '@partner-portal/service/modules/5-reactions/notifications/index.ts';
import type { Actor } from '@partner-portal/service/platform/actor.ts';
import type { Clock } from '@partner-portal/service/platform/clock.ts';
import { createFacts } from '@partner-portal/service/platform/facts.ts';
import { consequences, type FactListeners } from '@partner-portal/service/wiring/consequences.ts';
import { type ComputePool, createComputePool } from '@partner-portal/service/platform/compute/compute-pool.ts';
import { createPool } from '@partner-portal/service/platform/db/pool.ts';
import { createDatabase, type Database } from '@partner-portal/service/platform/db/tx.ts';
import { ingestToken, isCallbackToken, tokenMatches } from '@partner-portal/core/execution/token.ts';
import { bindRoute, type BindDeps, type RefusalCounts } from '@partner-portal/service/platform/http/bind-route.ts';
import type { Handlers } from '@partner-portal/service/platform/http/context.ts';
import { createCursors, type Cursors } from '@partner-portal/service/platform/http/cursor.ts';
import type { FindOwnHost } from '@partner-portal/service/platform/http/own-host.ts';
import { createRateLimits, type RateLimits } from '@partner-portal/service/platform/http/rate-limit.ts';
import { type LimitName, rateLimitWindows } from '@partner-portal/service/wiring/rate-limits.ts';
import { createServer } from '@partner-portal/service/platform/http/server.ts';
import { createSessions, type Sessions } from '@partner-portal/service/platform/http/session.ts';
import { newId } from '@partner-portal/service/platform/ids.ts';
import { createLog, type Log } from '@partner-portal/service/platform/log.ts';
import { Secret } from '@partner-portal/service/platform/secret.ts';
import type pg from 'pg';
import { createTestDatabase, type TestDatabase } from './database.ts';
import { assertDeclared } from './declared-errors.ts';
import { OLD_RING } from './key-rings.ts';
import { PASSWORD, PEOPLE, type Person, type PersonFacts, seedWorld, type World } from './world.ts';

/** The dependencies of a module in a test: the real platform on its own database. */
export type TestPlatform = {
  db: Database;
  pool: pg.Pool;
  sessions: Sessions;
  limits: RateLimits<LimitName>;
  cursors: Cursors;
  clock: Clock;
  log: Log;
  /** So high that no test reaches them by chance. */
  invitationCaps: InvitationCaps;
  /** FIRST_CONTACTS_PER_HOUR: its default. */
  firstContactsPerHour: number;
  /** Days of the payment clock: the defaults. */
  collection: CollectionRules;
  /** Public base address, without a trailing slash. */
  baseUrl: string;
  database: TestDatabase;
  /** AUTOMATION_CALLBACK_SECRET. */
  callbackSecret: Secret;
  /** Mail as it is without a transport, or with the one of `options.mailer`. */
  mail: ReturnType<typeof mail>;
  files: FileStore;
  dataKeys: DataKeys;
  compute: ComputePool;
  /** A seller in Berlin; invoices are due after 14 days. */
  invoicing: Invoicing;
  world: World;
};

export type TestServiceOptions = {
  /** The modules under test; identity is always there. Each is what its factory returns. */
  modules?: (platform: TestPlatform) => readonly { routes: Partial<Handlers>; refusalCounts?: RefusalCounts }[];
  /** Replaces options of the identity module. */
  identity?: Partial<IdentityOptions>;
  /** Counts callers and agencies as in production. Off by default: a test file is one very busy caller. */
  countCallers?: boolean;
  /** Replaces the fresh database on the server that all tests share. */
  database?: TestDatabase;
  /** The people already in that database. With `world`, this service is another process on the database and does not drop it. */
  world?: World;
  /** Agent requests that follow credentials; none by default. Read once the modules are made. */
  agentRequests?: () => FactListeners['agentRequests'];
  /** The clock of the service, also for signing and checking sessions; the system's by default. */
  clock?: Clock;
  /** A mail transport; none by default. */
  mailer?: Mailer;
  /** Replaces the defaults of a new installation. */
  sessionRules?: Partial<SessionRuleOptions>;
  /** Caps on mail to addresses without an account; so high by default that no test reaches them by chance. */
  strangerMail?: StrangerCaps;
  /** Scans uploaded files; none does by default. */
  malwareScan?: MalwareScan;
  /** The master keys; TEST_RING by default. */
  ring?: KeyRing;
  /** Finds the agency that owns the host of a request; none by default. */
  findOwnHost?: (platform: Pick<TestPlatform, 'db' | 'log' | 'baseUrl' | 'database'>) => FindOwnHost;
  /** Addresses of proxies whose headers count; none by default. */
  trustedProxies?: readonly string[];
  /** The built portal; none by default. */
  portalDir?: string;
  /** Destination of the log; none by default. */
  logLine?: (line: string) => void;
};

export type TestCall = {
  /** The person whose session is sent; no session when left out. */
  as?: Person | undefined;
  body?: unknown;
  /** Sent as it is, for example broken JSON. */
  rawBody?: string;
  headers?: Record<string, string>;
};
export type TestReply = { status: number; body: Body; text: string; headers: Record<string, unknown> };
/** An answer's JSON. Tests look into it freely; what leaves is checked by the reply schemas. */
// oxlint-disable-next-line typescript/no-explicit-any
export type Body = any;

export type TestService = TestPlatform & {
  call(method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, options?: TestCall): Promise<TestReply>;
  /** A signed session of this person as a header. */
  bearer(person: Person | PersonFacts): { authorization: string };
  /** The session as a use-case gets it. */
  actor(person: Person): Actor;
  /** Signs in through the route. */
  login(email: string, password?: string): Promise<TestReply>;
  /** Returns the number of SQL statements that `work` sends, including BEGIN, scope and COMMIT. */
  countStatements(work: () => Promise<unknown>): Promise<number>;
  /**
   * Asserts that each person in `refused` gets that code, and a caller without a session 401.
   * The test itself makes the allowed call.
   */
  assertRefused(
    method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    path: string,
    refused: Partial<Record<Person, string>>,
    body?: unknown,
  ): Promise<void>;
  /** Serves on a real port, for what only shows on a connection; answers the origin. */
  listen(): Promise<string>;
  close(): Promise<void>;
};

/** One ring for all modules of a test, since they share the data keys of its partners. */
export const TEST_RING: KeyRing = OLD_RING;

/** The issuer of the invoices in tests. */
export const TEST_INVOICING: Invoicing = {
  seller: {
    name: 'Portal Software GmbH',
    address: 'Torstraße 1\n10119 Berlin',
    country: 'DE',
    taxId: 'DE123456789',
    email: 'billing@portal.test',
  },
  paymentInstructions: 'Bank transfer to DE89 3704 0044 0532 0130 00',
  dueDays: 14,
};

/** The service with the modules under test, on a fresh database with one of every kind of user. */
export async function startTestService(options: TestServiceOptions = {}): Promise<TestService> {
  const database = options.database ?? (await createTestDatabase());
  const pool = createPool(database.configFor('portal_service'), { name: 'test', max: 8 });
  const facts = createFacts();
  const db = createDatabase(pool, facts);
  const world = options.world ?? (await seedWorld(db, options.clock ? new Date(0) : undefined));
  const log = options.logLine ? createLog('debug', { write: options.logLine }) : createLog('silent');
  const baseUrl = 'http://portal.test';
  const clock = options.clock ?? { now: () => new Date() };
  const counted = createRateLimits(rateLimitWindows(options.strangerMail ? { strangerMail: options.strangerMail } : {}));
  const limits = options.countCallers ? counted : withoutCallers(counted);
  const findOwnHost = options.findOwnHost?.({ db, log, baseUrl, database });
  const portalDir = options.portalDir ?? '/nonexistent';
  const corsOrigins = ['https://site.test'];
  const server = await createServer({
    log,
    baseUrl,
    corsOrigins,
    trustedProxies: options.trustedProxies ?? [],
    limits,
    portalDir,
    ...(findOwnHost ? { findOwnHost } : {}),
  });
  const sessions = await createSessions(server, { secret: new Secret('t'.repeat(48)), expiresInSeconds: 86_400, clock });
  const cursors = createCursors(new Secret('c'.repeat(48)));
  const callbackSecret = new Secret('callback-secret-of-the-tests');
  const dataKeys = createDataKeys(options.ring ?? TEST_RING);
  const fileStore = files({ db, clock }).store;
  const mailModule = mail({
    db,
    cursors,
    clock,
    log,
    limits,
    dataKeys,
    files: fileStore,
    baseUrl,
    mailer: options.mailer ?? null,
  });
  const platform: TestPlatform = {
    db,
    pool,
    sessions,
    limits,
    cursors,
    clock,
    log,
    invitationCaps: { perHour: 10_000, perDay: 10_000, trialPerHour: 10_000, trialPerDay: 10_000 },
    firstContactsPerHour: 60,
    collection: { reminderDays: [1, 7, 13], pastDueAfterDays: 14, suspensionAfterDays: 14 },
    baseUrl,
    database,
    callbackSecret,
    mail: mailModule,
    files: fileStore,
    dataKeys,
    // On a busy machine a thread takes seconds to start.
    compute: createComputePool({ waitMs: 60_000, deadlineFactor: 10 }),
    invoicing: TEST_INVOICING,
    world,
  };
  const closing = new AbortController();
  const onRefused: BindDeps['onRefused'] = (call) => recordRefusal(db, call);
  const callbackProof: BindDeps['callbackProof'] = (id, token) => isCallbackToken(callbackSecret.reveal(), id, token);
  const ingestProof: BindDeps['ingestProof'] = (id, token) => tokenMatches(ingestToken(callbackSecret.reveal(), id), token);
  const staffMfaRequired = options.sessionRules?.staffMfaRequired ?? false;
  const idleSeconds = options.sessionRules?.idleSeconds ?? { ADMIN: 8 * 3600, PARTNER: null, CLIENT: null };
  const rules = createSessionRules(db, { idleSeconds, staffMfaRequired });
  const bindDeps: BindDeps = {
    sessions,
    async assertSession(actor) {
      await rules.requireInUse(actor, clock.now());
      await db.assertSession(actor);
    },
    wasAsserted: db.wasAsserted,
    requireUsable: rules.requireUsable,
    checkLogin: rules.checkLogin,
    noteUse: rules.noteUse,
    limits,
    clock,
    closing: closing.signal,
    onRefused,
    callbackProof,
    ingestProof,
    scanFile: options.malwareScan && createFileScan(options.malwareScan, log),
  };
  const identityModule = identity({
    db,
    sessions,
    limits,
    dataKeys,
    queueMail: mailModule.queueMail,
    baseUrl,
    sandbox: false,
    staffMfaRequired,
    ...options.identity,
  });
  const modules = [identityModule, ...(options.modules?.(platform) ?? [])];
  facts.register(consequences({ notify: createNotify(mailModule), agentRequests: options.agentRequests?.() ?? null, baseUrl }));
  for (const module of modules) {
    const deps = {
      ...bindDeps,
      ...('refusalCounts' in module && module.refusalCounts ? { refusalCounts: module.refusalCounts } : {}),
    };
    for (const [name, handler] of Object.entries(module.routes)) {
      const route: RouteShape | undefined = Object.entries(routes).find(([known]) => known === name)?.[1];
      if (!route) throw new Error(`No route is called ${name}.`);
      // Each handler was typed by its own route in its module.
      bindRoute(server, deps, name, route, handler as Parameters<typeof bindRoute>[4]);
    }
  }
  await server.ready();

  const bearer: TestService['bearer'] = (person) => {
    const facts = typeof person === 'string' ? world.people[person] : person;
    return { authorization: `Bearer ${sessions.issue({ ...facts, authMethod: 'password' }).accessToken}` };
  };
  const call: TestService['call'] = async (method, path, { as, body, rawBody, headers = {} } = {}) => {
    const payload = rawBody ?? (body === undefined ? undefined : JSON.stringify(body));
    const response = await server.inject({
      method,
      url: path,
      headers: { ...(as ? bearer(as) : {}), ...(payload === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
      ...(payload === undefined ? {} : { payload }),
    });
    if (response.statusCode >= 400) assertDeclared(method, path, response.body);
    const isJson = /^application\/(problem\+)?json\b/.test(String(response.headers['content-type']));
    return { status: response.statusCode, body: isJson ? response.json() : undefined, text: response.body, headers: response.headers };
  };
  return {
    ...platform,
    call,
    bearer,
    actor(person) {
      const now = new Date();
      const expiresAt = new Date(now.getTime() + 86_400_000);
      const session = { jti: newId(), issuedAt: now, expiresAt, readOnly: false, actingUserId: null, whileSuspended: false };
      return { kind: 'user', ...world.people[person], authMethod: 'password', ...session };
    },
    login: (email, password = PASSWORD) => call('POST', '/auth/login', { body: { email, password } }),
    async countStatements(work) {
      let count = 0;
      const stop = db.onStatement(() => void (count += 1));
      await work();
      stop();
      return count;
    },
    async assertRefused(method, path, refused, body) {
      const anonymous = await call(method, path, { body });
      assert.deepEqual([anonymous.status, anonymous.body?.code], [401, 'unauthenticated'], `${method} ${path} without a session`);
      for (const person of PEOPLE) {
        const code = refused[person];
        if (code === undefined) continue;
        const reply = await call(method, path, { as: person, body });
        assert.equal(reply.body?.code, code, `${method} ${path} as ${person} answered ${reply.status}`);
      }
    },
    listen: () => server.listen({ host: '127.0.0.1', port: 0 }),
    async close() {
      closing.abort();
      await server.close();
      await platform.compute.close();
      await pool.end();
      if (!options.world) await database.drop();
    },
  };
}

/** Disables the limits per network address, which a whole test file would exceed. */
function withoutCallers(limits: RateLimits<LimitName>): RateLimits<LimitName> {
  const free = { limit: 1000, remaining: 1000, resetSeconds: 60, exceeded: false, code: 'rate_limited' as const };
  const isFree = (name: string): boolean => name === 'caller' || name === 'tenant' || name === 'mfaVerify';
  return {
    ...limits,
    count: async (name, key) => (isFree(name) ? free : limits.count(name, key)),
    countBoth: async (first, second) => (isFree(first[0]) || isFree(second[0]) ? [free, free] : limits.countBoth(first, second)),
    require: async (name, key) => (isFree(name) ? free : limits.require(name, key)),
  };
}
