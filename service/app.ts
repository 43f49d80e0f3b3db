import { join } from 'node:path';
import { loadBundles } from '@partner-portal/catalog/index.ts';
import { routes } from '@partner-portal/contract/index.ts';
import { isCallbackToken } from '@partner-portal/core/execution/token.ts';
import { isAllowedHost, plainHost, portOf } from '@partner-portal/core/network/address.ts';
import { createBookingReader } from '#adapters/booking-reader.ts';
import { createEngineClient } from '#adapters/engine-client.ts';
import { createEngineSend } from '#adapters/engine/engine-send.ts';
import { createMailer } from '#adapters/mailer.ts';
import { createOidc } from '#adapters/oidc.ts';
import { createProviderCheck, providerBaseUrls } from '#adapters/provider-check.ts';
import { createSaml } from '#adapters/saml.ts';
import { createTenantSql } from '#adapters/tenant-sql.ts';
import { systemClock } from '#platform/clock.ts';
import { createComputePool } from '#platform/compute/compute-pool.ts';
import type { DatabaseAddress } from '#platform/db/host.ts';
import { createPool } from '#platform/db/pool.ts';
import { createFacts } from '#platform/facts.ts';
import { createDatabase } from '#platform/db/tx.ts';
import { bindRoutes } from '#platform/http/bind-route.ts';
import { createCursors } from '#platform/http/cursor.ts';
import { createRateLimits } from '#platform/http/rate-limit.ts';
import { createServer } from '#platform/http/server.ts';
import { createSessions } from '#platform/http/session.ts';
import { createRunner } from '#platform/jobs/runner.ts';
import type { Log } from '#platform/log.ts';
import type { Secret } from '#platform/secret.ts';
import { openNotices } from '#platform/notify.ts';
import { createInternalFetch } from '#platform/outbound/internal-fetch.ts';
import { createNetworkLookup } from '#platform/outbound/network-lookup.ts';
import { createSafeFetch } from '#platform/outbound/safe-fetch.ts';
import { agentRequests } from '#modules/4-setup/agent-requests/index.ts';
import { agents } from '#modules/3-product/agents/index.ts';
import { alerts } from '#modules/5-reactions/alerts/index.ts';
import { auditLog, recordRefusal } from '#modules/1-ledger/audit/index.ts';
import { billing } from '#modules/2-tenancy/billing/index.ts';
import { catalog } from '#modules/3-product/catalog/index.ts';
import { clients } from '#modules/2-tenancy/clients/index.ts';
import { credentials } from '#modules/3-product/credentials/index.ts';
import { events } from '#modules/1-ledger/events/index.ts';
import { executions } from '#modules/3-product/executions/index.ts';
import { clientHome } from '#modules/6-views/client-home/index.ts';
import { health } from '#modules/6-views/health/index.ts';
import { overview } from '#modules/6-views/overview/index.ts';
import { argon2Hasher, identity, seedAdmin } from '#modules/2-tenancy/identity/index.ts';
import { invitations } from '#modules/2-tenancy/invitations/index.ts';
import { mail } from '#modules/1-ledger/mail/index.ts';
import { metering } from '#modules/1-ledger/metering/index.ts';
import { notifications } from '#modules/5-reactions/notifications/index.ts';
import { partners } from '#modules/2-tenancy/partners/index.ts';
import { planRequests } from '#modules/2-tenancy/plan-requests/index.ts';
import { plans } from '#modules/2-tenancy/plans/index.ts';
import { provisioning } from '#modules/4-setup/provisioning/index.ts';
import { rollouts } from '#modules/4-setup/rollouts/index.ts';
import { sso, ssoRequirement } from '#modules/2-tenancy/sso/index.ts';
import { team } from '#modules/2-tenancy/team/index.ts';
import { users } from '#modules/2-tenancy/users/index.ts';
import { IN_FLIGHT_MAX, webhooks } from '#modules/5-reactions/webhooks/index.ts';
import { workQueue } from '#modules/6-views/work-queue/index.ts';
import { workflows } from '#modules/3-product/workflows/index.ts';
import { checkConfiguration } from './check-configuration.ts';
import type { Config } from './config.ts';
import { maintenance } from './maintenance.ts';
import { consequences, eventReactions } from './wiring/consequences.ts';
import { rateLimitWindows } from './wiring/rate-limits.ts';

export type AppDeps = {
  config: Config;
  log: Log;
  addressOf: (role: 'portal_service' | 'portal_queue') => DatabaseAddress;
  /** Base URL of the engine; null while the embedded one is starting or when it is switched off. */
  engineBaseUrl: () => string | null;
  /** The configured project, or the one the embedded engine created. */
  engineProjectId: () => string | null;
  /** The provider sandbox; null unless it is switched on. */
  sandbox: { url: string; token: Secret } | null;
};

const POOL_MAX = 20;
const STOP_GRACE_MS = 10_000;
const PORTAL_DIR = join(import.meta.dirname, '..', 'portal', 'dist');

/** Creates the service from its configuration: platform, modules by layer, HTTP server and job runner. */
export async function createApp(deps: AppDeps) {
  const { config, log } = deps;
  const clock = systemClock;
  const { publicBaseUrl } = config.http;
  const sandboxUrl = deps.sandbox?.url ?? null;

  // Platform
  const pool = createPool(deps.addressOf('portal_service'), {
    name: 'portal service',
    max: POOL_MAX,
    onIdleError: (error) => log.warn({ err: error }, 'database connection lost'),
  });
  const facts = createFacts();
  const db = createDatabase(pool, facts);
  const notices = openNotices(deps.addressOf('portal_service'), log);
  const cursors = createCursors(config.session.secret);
  const { callerRequestsPerMinute, partnerRequestsPerMinute } = config.http;
  // Processes that share a database share their rate counters; only one process uses the embedded database.
  const windows = rateLimitWindows({ callerRequestsPerMinute, partnerRequestsPerMinute });
  const limits = createRateLimits(windows, config.databaseUrl === null ? {} : { pool });
  const server = await createServer({
    log,
    limits,
    portalDir: PORTAL_DIR,
    baseUrl: publicBaseUrl,
    corsOrigins: config.http.corsOrigins,
    trustedProxies: config.http.trustedProxies,
  });
  const sessions = await createSessions(server, { ...config.session, clock });

  // Third-party systems
  const internalUrls = (): (string | null)[] => [deps.engineBaseUrl(), sandboxUrl];
  const internal = createInternalFetch((origin) => internalUrls().some((url) => url !== null && new URL(url).origin === origin));
  const allowedHosts = [...config.devAllowedHosts, ...(sandboxUrl === null ? [] : [new URL(sandboxUrl).host])];
  // Customers name the hosts of both.
  const lookup = createNetworkLookup({ allowedHosts });
  const outbound = createSafeFetch({ allowedHosts, lookup });
  const deliveries = createSafeFetch({ allowedHosts, connectionsPerHost: IN_FLIGHT_MAX, lookup });
  const { adminEmail, adminPassword } = config.engine;
  const engineAdmin = adminEmail && adminPassword ? { email: adminEmail, password: adminPassword } : null;
  const engine = createEngineClient({ baseUrl: deps.engineBaseUrl, account: engineAdmin, send: createEngineSend(internal), clock });
  const tenantSql = createTenantSql(outbound);
  const compute = createComputePool();
  const baseUrls = providerBaseUrls(config.providers.baseUrls, sandboxUrl);
  const checkProvider = createProviderCheck({ fetch: outbound, baseUrls, tenantSql });

  // Layers 1 and 2: ledger, tenancy
  const bundles = loadBundles();
  const templates = bundles.map((bundle) => bundle.template);
  const { smtp } = config;
  const mailer = smtp === null ? null : createMailer(smtp);
  const mailModule = mail({
    db,
    cursors,
    clock,
    log,
    ring: config.vault.ring,
    baseUrl: publicBaseUrl,
    mailer,
  });
  const identityModule = identity({
    db,
    sessions,
    limits,
    ring: config.vault.ring,
    queueMail: mailModule.queueMail,
    baseUrl: publicBaseUrl,
    sandbox: config.providers.sandbox,
    ssoRequirement: ssoRequirement(publicBaseUrl),
  });
  const meteringModule = metering({ db, cursors, clock });

  const shared = { db, cursors, limits, baseUrl: publicBaseUrl, mail: mailModule, invitationCaps: config.invitationCaps };
  const allowed = new Set(allowedHosts);
  const allowsHttp = (url: URL): boolean => isAllowedHost(plainHost(url.hostname), portOf(url), allowed);
  const ssoModule = sso({
    ...shared,
    clock,
    log,
    sessions,
    ring: config.vault.ring,
    fetch: outbound,
    oidc: createOidc({ fetch: outbound, allowsHttp }),
    saml: createSaml({ fetch: outbound, compute }),
  });
  const partnersModule = partners({ ...shared, clock });
  const tenancy = [
    partnersModule,
    clients(shared),
    ssoModule,
    invitations(shared),
    users({ db, cursors, mail: mailModule }),
    team({ db, cursors }),
    plans({ db }),
    planRequests(shared),
    billing({ ...shared, clock, log, compute, invoicing: config.invoicing }),
  ];

  // Layer 3: product
  const { callbackSecret } = config.engine;
  const { platformKeys } = config.providers;
  const platformProviders = (['openai', 'anthropic'] as const).filter((provider) => platformKeys[provider] !== null);
  const catalogModule = catalog({ db, platformProviders });
  const credentialsModule = credentials({
    db,
    clock,
    log,
    ring: config.vault.ring,
    platformKeys,
    baseUrls,
    engine,
    checkProvider,
    tenantSql,
    callbackSecret,
  });
  const executionsModule = executions({
    db,
    engine,
    notices,
    limits,
    cursors,
    clock,
    log,
    templateOf: catalogModule.templateOf,
    callbackSecret,
    publicBaseUrl,
    timeoutMinutesDefault: config.executionTimeoutMinutes,
    // The embedded database has one owner at a time.
    isSoleProcess: config.databaseUrl === null,
    failedRunsFree: config.failedRunsFreePerDay,
  });
  const workflowsModule = workflows({
    db,
    cursors,
    clock,
    log,
    templateOf: catalogModule.templateOf,
    accept: executionsModule.accept,
    readBookings: createBookingReader({ fetch: outbound, baseUrl: baseUrls.calcom }),
    useCredential: credentialsModule.useCredential,
    callbackSecret,
    publicBaseUrl,
  });
  const agentsModule = agents({
    db,
    cursors,
    log,
    platformProviders,
    templateOf: catalogModule.templateOf,
    bundleOf: catalogModule.bundleOf,
    engine,
    unbindUnneeded: credentialsModule.unbindUnneeded,
    failQueued: executionsModule.failQueued,
  });

  // Layers 4 to 6: setup, reactions, views
  const { engine: engineSettings } = config;
  const provisioningModule = provisioning({
    db,
    clock,
    log,
    notices,
    engine,
    internal,
    cursors,
    credentials: credentialsModule,
    catalog: bundles,
    settings: {
      engineEnabled: engineSettings.enabled,
      provider: engineSettings.provider,
      tenancyMode: engineSettings.tenancyMode,
      engineBaseUrl: deps.engineBaseUrl,
      engineProjectId: deps.engineProjectId,
      edition: engineSettings.edition,
      embedded: engineSettings.baseUrl === null,
      internalApiUrl: engineSettings.internalApiUrl,
      healthTimeoutMs: engineSettings.healthTimeoutMs,
      provisionTimeoutMinutes: engineSettings.provisionTimeoutMinutes,
      sandbox: () => deps.sandbox,
    },
  });
  const agentRequestsModule = agentRequests({
    ...shared,
    clock,
    log,
    notices,
    templateOf: catalogModule.templateOf,
    platformProviders,
    provision: provisioningModule.provision,
    isStopping: () => closing.signal.aborted,
  });
  const rolloutsModule = rollouts({
    db,
    clock,
    log,
    templateOf: catalogModule.templateOf,
    provision: provisioningModule.provision,
    provisionTimeoutMinutes: engineSettings.provisionTimeoutMinutes,
  });
  const webhooksModule = webhooks({ db, notices, cursors, clock, log, ring: config.vault.ring, fetch: deliveries, baseUrl: publicBaseUrl });
  const notificationsModule = notifications({ db, cursors, clock, log, notices, queueMail: mailModule.queueMail });
  const alertsModule = alerts({ db, cursors, log });
  facts.register(consequences({ notify: notificationsModule.notify, agentRequests: agentRequestsModule, baseUrl: publicBaseUrl }));
  const eventsModule = events({
    db,
    notices,
    log,
    reactions: eventReactions({
      webhooks: webhooksModule,
      mail: mailModule,
      alerts: alertsModule,
      notifications: notificationsModule,
    }),
  });
  const workQueueModule = workQueue({ db });
  const views = [
    workQueueModule,
    overview({ db, catalog: templates, platformProviders }),
    clientHome({ db, cursors, catalog: templates, templateOf: catalogModule.templateOf, platformProviders }),
  ];
  const modules = [
    identityModule,
    mailModule,
    meteringModule,
    auditLog({ db, cursors }),
    ...tenancy,
    catalogModule,
    credentialsModule,
    executionsModule,
    workflowsModule,
    agentsModule,
    provisioningModule,
    agentRequestsModule,
    rolloutsModule,
    webhooksModule,
    alertsModule,
    notificationsModule,
    ...views,
  ];
  const maintenanceTasks = maintenance({ db });
  const runner = createRunner({
    address: deps.addressOf('portal_queue'),
    log,
    jobs: modules.flatMap((module) => ('jobs' in module ? module.jobs : [])),
    crons: [...modules.flatMap((module) => ('crons' in module ? module.crons : [])), ...maintenanceTasks.crons],
  });
  const healthModule = health({
    db,
    queueDepth: () => runner.depth(),
    engine: async () => (await provisioningModule.lookAtEngine()).health,
    mail: mailModule.check,
    countMail: mailModule.countMail,
    configuration: checkConfiguration(config),
  });

  const closing = new AbortController();
  bindRoutes(
    server,
    {
      sessions,
      assertSession: db.assertSession,
      wasAsserted: db.wasAsserted,
      limits,
      clock,
      closing: closing.signal,
      onRefused: (call) => recordRefusal(db, call),
      fastPaths: executionsModule.fastPaths,
      callbackProof: (executionId, token) => isCallbackToken(callbackSecret.reveal(), executionId, token),
    },
    routes,
    Object.assign({}, ...[...modules, healthModule].map((module) => module.routes)),
  );
  await server.ready();

  return {
    server,
    db,
    engine,
    runner,
    executions: executionsModule,
    events: eventsModule,
    webhooks: webhooksModule,
    /** Creates the staff user of SEED_ADMIN_EMAIL and SEED_ADMIN_PASSWORD unless the address already exists. */
    seedAdmin: (admin: Parameters<typeof seedAdmin>[1]) => seedAdmin({ db, hasher: argon2Hasher }, admin),
    /** Creates the partitions of this month and the next. */
    maintainPartitions: () => maintenanceTasks.maintainPartitions(),
    /** Rewrites every bound connection, for example after the sandbox changed its address. */
    rewriteConnections: () => maintenanceTasks.rewriteConnections(),
    /** Starts background work: jobs, dispatch, deliveries, events. */
    async startWork(): Promise<void> {
      await provisioningModule.reap();
      await runner.start();
      executionsModule.start();
      webhooksModule.start();
      eventsModule.start();
    },
    /** Stops accepting requests, lets requests and jobs finish, then closes the pool. */
    async stop(): Promise<void> {
      closing.abort();
      // Provisioning attempts run inside requests: they stop at their next step, and only then can the server finish its requests.
      await provisioningModule.stop();
      await server.close();
      await executionsModule.stop();
      // The last events are processed before the sender stops, so that what they enqueue is sent or stays queued.
      await eventsModule.stop();
      await webhooksModule.stop();
      await runner.stop(STOP_GRACE_MS);
      mailer?.close();
      await notices.close();
      await Promise.all([internal.close(), outbound.close(), deliveries.close(), compute.close()]);
      await pool.end();
    },
  };
}

export type App = Awaited<ReturnType<typeof createApp>>;
