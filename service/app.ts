import { join } from 'node:path';
import { routes } from '@partner-portal/contract/index.ts';
import { ingestToken, isCallbackToken, tokenMatches } from '@partner-portal/core/execution/token.ts';
import { systemClock } from '#platform/clock.ts';
import { createConnectionWatch, trackConnections } from '#platform/connection-watch.ts';
import type { DatabaseAddress } from '#platform/db/host.ts';
import { createPool, poolState, SERVICE_POOL_MAX } from '#platform/db/pool.ts';
import { withClient } from '#platform/db/roles.ts';
import { createFacts } from '#platform/facts.ts';
import { createDatabase } from '#platform/db/tx.ts';
import { bindRoutes } from '#platform/http/bind-route.ts';
import { createCursors } from '#platform/http/cursor.ts';
import { registerFramedPage } from '#platform/http/framed-page.ts';
import { createRateLimits } from '#platform/http/rate-limit.ts';
import { createServer } from '#platform/http/server.ts';
import { createSessions } from '#platform/http/session.ts';
import { createHeartbeat } from '#platform/jobs/heartbeat.ts';
import { createRunner } from '#platform/jobs/runner.ts';
import { createWorkerWatch } from '#platform/jobs/worker-watch.ts';
import type { Log } from '#platform/log.ts';
import type { Secret } from '#platform/secret.ts';
import { openNotices } from '#platform/notify.ts';
import type { Tracer } from '#platform/tracing/tracer.ts';
import { recordRefusal } from '#modules/1-ledger/audit/index.ts';
import { requireDataKeys } from '#modules/1-ledger/data-keys/index.ts';
import { health } from '#modules/6-views/health/index.ts';
import { createServedHosts } from '#modules/2-tenancy/domains/index.ts';
import { installLinks } from '#modules/2-tenancy/install/index.ts';
import { argon2Hasher, countStaff, createSessionRules, seedAdmin } from '#modules/2-tenancy/identity/index.ts';
import { checkConfiguration } from './check-configuration.ts';
import type { Config } from './config.ts';
import { createFileScan } from './scan-uploads.ts';
import { maintenance } from './maintenance.ts';
import { readPublicTexts, textValues } from './public-texts.ts';
import { resealInBackground } from './reseal-values.ts';
import { rateLimitWindows } from './wiring/rate-limits.ts';
import { createModules } from './wiring/modules.ts';
import { createThirdParties } from './wiring/third-parties.ts';

export type AppDeps = {
  config: Config;
  log: Log;
  addressOf: (role: 'portal_service' | 'portal_queue') => DatabaseAddress;
  /** Base URL of the engine; null while the embedded one is starting or when it is switched off. */
  engineBaseUrl: () => string | null;
  /** The configured project, or the one the embedded engine created. */
  engineProjectId: () => string | null;
  /** Resolves once the embedded engine can be used; left out where another engine is used. */
  engineStarted?: Promise<void>;
  /** The provider sandbox; null unless it is switched on. */
  sandbox: { url: string; token: Secret } | null;
  /** Undefined: no traces. */
  tracer?: Tracer | undefined;
};

const STOP_GRACE_MS = 10_000;
const PORTAL_DIR = join(import.meta.dirname, '..', 'portal', 'dist');

/** Creates the service from its configuration: platform, modules by layer, HTTP server and job runner. */
export async function createApp(deps: AppDeps) {
  const { config, log } = deps;
  const clock = systemClock;
  const { publicBaseUrl } = config.http;

  // Platform
  const pool = createPool(deps.addressOf('portal_service'), {
    name: 'portal service',
    max: SERVICE_POOL_MAX,
    onIdleError: (error) => log.warn({ err: error }, 'database connection lost'),
  });
  const endConnections = trackConnections(pool);
  const facts = createFacts();
  const db = createDatabase(pool, facts);
  const notices = openNotices(deps.addressOf('portal_service'), log);
  const cursors = createCursors(
    config.session.secret,
    config.session.older.map(({ secret }) => secret),
  );
  const { callerRequestsPerMinute, partnerRequestsPerMinute } = config.http;
  // Processes that share a database share their rate counters; only one process uses the embedded database.
  const windows = rateLimitWindows({ callerRequestsPerMinute, partnerRequestsPerMinute, strangerMail: config.strangerCaps });
  const limits = createRateLimits(windows, config.databaseUrl === null ? {} : { pool });
  const servedHosts = createServedHosts({
    db,
    notices,
    log,
    baseUrl: publicBaseUrl,
    linksOf: (brand) => installLinks(config.engine.callbackSecret.reveal(), brand),
  });
  const server = await createServer({
    log,
    findOwnHost: servedHosts.find,
    limits,
    portalDir: PORTAL_DIR,
    textPages: await readPublicTexts(config.publicTextsDir, textValues(config.invoicing.seller)),
    baseUrl: publicBaseUrl,
    corsOrigins: config.http.corsOrigins,
    hstsSubdomains: config.http.hstsSubdomains,
    trustedProxies: config.http.trustedProxies,
    isSampled: (traceId) => deps.tracer?.isSampled(traceId) ?? false,
  });
  const sessions = await createSessions(server, { ...config.session, clock });

  const closing = new AbortController();
  let resealing: Promise<void> | undefined;
  const { engineBaseUrl, engineProjectId, sandbox } = deps;
  const parties = createThirdParties({ config, clock, engineBaseUrl, sandboxUrl: sandbox?.url ?? null });
  const { modules, mail, dataKeys, aiProxy, conversations, executions, provisioning, webhooks, events, exports, alerts, findServed } =
    createModules({
      config,
      log,
      clock,
      db,
      facts,
      notices,
      cursors,
      limits,
      sessions,
      parties,
      servedHosts,
      engineBaseUrl,
      engineProjectId,
      ...(deps.engineStarted ? { engineStarted: deps.engineStarted } : {}),
      sandbox,
      tracer: deps.tracer,
      isStopping: () => closing.signal.aborted,
    });
  const maintenanceTasks = maintenance({ db });
  const runner = createRunner({
    address: deps.addressOf('portal_queue'),
    log,
    jobs: modules.flatMap((module) => ('jobs' in module ? module.jobs : [])),
    crons: [...modules.flatMap((module) => ('crons' in module ? module.crons : [])), ...maintenanceTasks.crons],
  });
  const connectionWatch = createConnectionWatch({
    log,
    ask: notices.ask,
    // A server that lets a client in has answered, and only this has a time limit.
    askAnew: () => withClient(deps.addressOf('portal_service'), async () => undefined),
    onLost() {
      notices.reconnect();
      runner.endConnections();
      endConnections();
    },
  });
  connectionWatch.start();
  const heartbeat = createHeartbeat({
    db,
    log,
    isWorker: config.role !== 'http',
    takesJobs: () => runner.isRunning() && !runner.hasEnded(),
  });
  const workerWatch = createWorkerWatch({ db, log, onChange: alerts.evaluateService });
  const healthModule = health({
    db,
    queueDepth: () => runner.depth(),
    hasRunnerEnded: () => runner.hasEnded(),
    engine: async () => (await provisioning.lookAtEngine()).health,
    mail: mail.check,
    scanner: parties.malwareScan?.check ?? null,
    countMail: mail.countMail,
    countStaff,
    staffMfaRequired: config.session.staffMfaRequired,
    configuration: checkConfiguration(config),
  });

  const { idleSeconds, staffIdleSeconds, staffMfaRequired } = config.session;
  const sessionRules = createSessionRules(db, {
    idleSeconds: { ADMIN: staffIdleSeconds, PARTNER: idleSeconds, CLIENT: idleSeconds },
    staffMfaRequired,
  });
  bindRoutes(
    server,
    {
      sessions,
      // An open stream asks again and again: it ends with a session that no one uses.
      assertSession: async (actor) => {
        await sessionRules.requireInUse(actor, clock.now());
        await db.assertSession(actor);
      },
      wasAsserted: db.wasAsserted,
      requireUsable: sessionRules.requireUsable,
      checkLogin: sessionRules.checkLogin,
      noteUse: sessionRules.noteUse,
      limits,
      clock,
      closing: closing.signal,
      onRefused: (call) => recordRefusal(db, call),
      refusalCounts: executions.refusalCounts,
      ingestProof: (workflowId, token) => tokenMatches(ingestToken(config.engine.callbackSecret.reveal(), workflowId), token),
      scanFile: parties.malwareScan ? createFileScan(parties.malwareScan, log) : undefined,
      callbackProof: (executionId, token) => isCallbackToken(config.engine.callbackSecret.reveal(), executionId, token),
    },
    routes,
    Object.assign({}, ...[...modules, healthModule].map((module) => module.routes)),
  );
  await registerFramedPage(server, {
    path: '/chat/:id',
    dir: join(PORTAL_DIR, 'chat'),
    findOrigins: async (id) => (await findServed(id))?.allowedOrigins,
    limits,
  });
  await server.ready();

  return {
    server,
    db,
    engine: parties.engine,
    runner,
    /** Its connections to the database, but for those of the runner. */
    poolState: () => poolState(pool),
    /** Whether the engine reports itself healthy, in the time given; null where it is switched off. */
    isEngineUp: async (timeoutMs: number) => (config.engine.enabled ? (await parties.engine.health(timeoutMs)).state === 'healthy' : null),
    executions,
    conversations,
    events,
    webhooks,
    /** Creates the staff user of SEED_ADMIN_EMAIL and SEED_ADMIN_PASSWORD unless the address already exists. */
    seedAdmin: (admin: Parameters<typeof seedAdmin>[1]) => seedAdmin({ db, hasher: argon2Hasher }, admin),
    /** Refuses a database whose data keys are not restored. */
    requireDataKeys: () => requireDataKeys(db),
    /** Creates the partitions of this month and the next. */
    maintainPartitions: () => maintenanceTasks.maintainPartitions(),
    /** Rewrites every bound connection, for example after the sandbox changed its address. */
    rewriteConnections: () => maintenanceTasks.rewriteConnections(),
    /** Warns of agencies that were set up in another tenancy mode. */
    readTenancyMessage: () => provisioning.readTenancyMessage(),
    /** Notes the start of this process. Where it serves requests, it looks from then on whether any process takes jobs. */
    async noteStart(): Promise<void> {
      await heartbeat.begin();
      if (config.role !== 'worker') workerWatch.start();
    },
    /** Has the processes that work ask the engine about all that is under way. */
    askAboutUnderWay: () => executions.askAboutAll(),
    /** Starts background work: jobs, dispatch, deliveries, events. */
    async startWork(): Promise<void> {
      await provisioning.reap();
      await runner.start();
      heartbeat.start();
      executions.start();
      conversations.start();
      webhooks.start();
      events.start();
      resealing = resealInBackground({ db, dataKeys, log }, closing.signal);
    },
    /** Stops accepting requests, lets requests and jobs finish, then closes the pool. */
    async stop(): Promise<void> {
      closing.abort();
      // Another process may begin at once what this one gives back.
      await exports.stop();
      // Provisioning attempts run inside requests: they stop at their next step, and only then can the server finish its requests.
      await provisioning.stop();
      await workerWatch.stop();
      await conversations.stop();
      await aiProxy.stop();
      await server.close();
      await executions.stop();
      // The last events are processed before the sender stops, so that what they enqueue is sent or stays queued.
      await events.stop();
      await webhooks.stop();
      await heartbeat.stop();
      await runner.stop(STOP_GRACE_MS);
      await resealing;
      servedHosts.close();
      await connectionWatch.stop();
      await notices.close();
      await parties.close();
      await pool.end();
    },
  };
}

export type App = Awaited<ReturnType<typeof createApp>>;
