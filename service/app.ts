import { join } from 'node:path';
import { loadBundles } from '@partner-portal/catalog/index.ts';
import { routes } from '@partner-portal/contract/index.ts';
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
import type { DatabaseAddress } from '#platform/db/host.ts';
import { createPool } from '#platform/db/pool.ts';
import { createDatabase } from '#platform/db/tx.ts';
import { bindRoutes } from '#platform/http/bind-route.ts';
import { createCursors } from '#platform/http/cursor.ts';
import { createRateLimits } from '#platform/http/rate-limit.ts';
import { createServer } from '#platform/http/server.ts';
import { createSessions } from '#platform/http/session.ts';
import { createRunner } from '#platform/jobs/runner.ts';
import type { Log } from '#platform/log.ts';
import { openNotices } from '#platform/notify.ts';
import { createInternalFetch } from '#platform/outbound/internal-fetch.ts';
import { createNetworkLookup } from '#platform/outbound/network-lookup.ts';
import { createSafeFetch } from '#platform/outbound/safe-fetch.ts';
import { agentRequests } from '#modules/4-setup/agent-requests/index.ts';
import { agents } from '#modules/3-product/agents/index.ts';
import { alerts } from '#modules/5-reactions/alerts/index.ts';
import { auditLog, recordRefusal } from '#modules/1-ledger/audit/index.ts';
import { catalog } from '#modules/3-product/catalog/index.ts';
import { clients } from '#modules/2-tenancy/clients/index.ts';
import { credentials } from '#modules/3-product/credentials/index.ts';
import { events } from '#modules/1-ledger/events/index.ts';
import { executions } from '#modules/3-product/executions/index.ts';
import { clientHome } from '#modules/6-views/client-home/index.ts';
import { health } from '#modules/6-views/health/index.ts';
import { overview } from '#modules/6-views/overview/index.ts';
import { argon2Hasher, identity, seedAdmin } from '#modules/2-tenancy/identity/index.ts';
import { invitations, noteInvitationMail } from '#modules/2-tenancy/invitations/index.ts';
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

export type AppDeps = {
  config: Config;
  log: Log;
  addressOf: (role: 'portal_service' | 'portal_queue') => DatabaseAddress;
  /** Where the engine answers; null while the embedded one is starting or when it is switched off. */
  engineBaseUrl: () => string | null;
  /** The configured project, or the embedded engine's own. */
  engineProjectId: () => string | null;
  /** The provider sandbox; null unless it is switched on. */
  sandboxUrl: string | null;
};

const POOL_MAX = 20;
const STOP_GRACE_MS = 10_000;
const PORTAL_DIR = join(import.meta.dirname, '..', 'portal', 'dist');

/** The whole wiring, on one page: platform, then modules in their layers, then what serves and what works. */
export async function createApp(deps: AppDeps) {
  const { config, log } = deps;
  const clock = systemClock;
  const { publicBaseUrl } = config.http;

  // Platform
  const pool = createPool(deps.addressOf('portal_service'), {
    name: 'portal service',
    max: POOL_MAX,
    onIdleError: (error) => log.warn({ err: error }, 'database connection lost'),
  });
  const db = createDatabase(pool);
  const notices = openNotices(deps.addressOf('portal_service'), log);
  const cursors = createCursors(config.session.secret);
  const { callerRequestsPerMinute, partnerRequestsPerMinute } = config.http;
  // Processes that share a database count together; the embedded one belongs to this process alone.
  const limits = createRateLimits({
    callerRequestsPerMinute,
    partnerRequestsPerMinute,
    ...(config.databaseUrl === null ? {} : { pool }),
  });
  const server = await createServer({
    log,
    limits,
    portalDir: PORTAL_DIR,
    baseUrl: publicBaseUrl,
    corsOrigins: config.http.corsOrigins,
    trustedProxies: config.http.trustedProxies,
  });
  const sessions = await createSessions(server, { ...config.session, clock });

  // Other people's systems
  const ours = (): (string | null)[] => [deps.engineBaseUrl(), deps.sandboxUrl];
  const internal = createInternalFetch((origin) => ours().some((url) => url !== null && new URL(url).origin === origin));
  const allowedHosts = [...config.devAllowedHosts, ...(deps.sandboxUrl === null ? [] : [new URL(deps.sandboxUrl).host])];
  const outbound = createSafeFetch({ allowedHosts });
  const lookup = createNetworkLookup({ allowedHosts });
  const deliveries = createSafeFetch({ allowedHosts, connectionsPerHost: IN_FLIGHT_MAX, lookup });
  const { adminEmail, adminPassword } = config.engine;
  const account = adminEmail && adminPassword ? { email: adminEmail, password: adminPassword } : null;
  const engine = createEngineClient({ baseUrl: deps.engineBaseUrl, account, send: createEngineSend(internal), clock });
  const tenantSql = createTenantSql(outbound);
  const baseUrls = providerBaseUrls(config.providers.baseUrls, deps.sandboxUrl);
  const checkProvider = createProviderCheck({ fetch: outbound, baseUrls, tenantSql });

  // L1 ledger, L2 tenancy
  const bundles = loadBundles();
  const templates = bundles.map((bundle) => bundle.template);
  const { smtp } = config;
  const mailer = smtp === null ? null : createMailer(smtp);
  const post = mail({
    db,
    cursors,
    clock,
    log,
    ring: config.vault.ring,
    baseUrl: publicBaseUrl,
    mailer,
    onSettled: noteInvitationMail,
  });
  const who = identity({
    db,
    sessions,
    limits,
    ring: config.vault.ring,
    queueMail: post.queueMail,
    baseUrl: publicBaseUrl,
    sandbox: config.providers.sandbox,
    ssoRequirement: ssoRequirement(publicBaseUrl),
  });
  const meter = metering({ db, cursors, clock });

  const door = { db, cursors, limits, baseUrl: publicBaseUrl, mail: post };
  const allowed = new Set(allowedHosts);
  const allowsHttp = (url: URL): boolean => isAllowedHost(plainHost(url.hostname), portOf(url), allowed);
  const through = sso({
    ...door,
    clock,
    log,
    sessions,
    ring: config.vault.ring,
    fetch: outbound,
    oidc: createOidc({ fetch: outbound, allowsHttp }),
    saml: createSaml({ fetch: outbound }),
  });
  const agencies = partners({ ...door, clock });
  const tenancy = [
    agencies,
    clients(door),
    through,
    invitations(door),
    users({ db, cursors, mail: post }),
    team({ db, cursors }),
    plans({ db }),
    planRequests(door),
  ];

  // L3 product
  const { callbackSecret } = config.engine;
  const { platformKeys } = config.providers;
  const platformProviders = (['openai', 'anthropic'] as const).filter((provider) => platformKeys[provider] !== null);
  const goods = catalog({ db, platformProviders });
  const vault = credentials({
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
    onSaved: (tx, slot) => requests.wake(tx, slot),
    onRemoved: (tx, slot) => requests.tellLacking(tx, slot),
  });
  const runs = executions({
    db,
    engine,
    notices,
    limits,
    cursors,
    clock,
    log,
    templateOf: goods.templateOf,
    callbackSecret,
    publicBaseUrl,
    timeoutMinutesDefault: config.executionTimeoutMinutes,
  });
  const technical = workflows({
    db,
    cursors,
    clock,
    log,
    templateOf: goods.templateOf,
    accept: runs.accept,
    readBookings: createBookingReader({ fetch: outbound, baseUrl: baseUrls.calcom }),
    useCredential: vault.useCredential,
    callbackSecret,
    publicBaseUrl,
  });
  const business = agents({
    db,
    cursors,
    log,
    platformProviders,
    templateOf: goods.templateOf,
    bundleOf: goods.bundleOf,
    engine,
    unbindUnneeded: vault.unbindUnneeded,
    endWaiting: runs.endWaiting,
  });

  // L4 orchestration, L5 reactions
  const { engine: settings } = config;
  const setup = provisioning({
    db,
    clock,
    log,
    notices,
    engine,
    internal,
    cursors,
    credentials: vault,
    catalog: bundles,
    settings: {
      engineEnabled: settings.enabled,
      provider: settings.provider,
      tenancyMode: settings.tenancyMode,
      engineBaseUrl: deps.engineBaseUrl,
      engineProjectId: deps.engineProjectId,
      edition: settings.edition,
      embedded: settings.baseUrl === null,
      internalApiUrl: settings.internalApiUrl,
      healthTimeoutMs: settings.healthTimeoutMs,
      provisionTimeoutMinutes: settings.provisionTimeoutMinutes,
      sandboxUrl: () => deps.sandboxUrl,
    },
  });
  const requests = agentRequests({
    ...door,
    clock,
    log,
    notices,
    templateOf: goods.templateOf,
    platformProviders,
    provision: setup.provision,
    isStopping: () => closing.signal.aborted,
  });
  const spread = rollouts({
    db,
    clock,
    log,
    templateOf: goods.templateOf,
    provision: setup.provision,
    provisionTimeoutMinutes: settings.provisionTimeoutMinutes,
  });
  const hooks = webhooks({ db, notices, cursors, clock, log, ring: config.vault.ring, fetch: deliveries, baseUrl: publicBaseUrl });
  const news = notifications({ db, cursors, clock, log, notices, queueMail: post.queueMail });
  const watch = alerts({ db, cursors, log, notify: news.notify });
  const happened = events({ db, notices, log, reactions: [hooks.fanOut, ...post.reactions, watch.reaction, news.reaction] });
  const queue = workQueue({ db });
  const views = [
    queue,
    overview({ db, catalog: templates }),
    clientHome({ db, cursors, catalog: templates, templateOf: goods.templateOf, platformProviders }),
  ];
  const modules = [
    who,
    post,
    meter,
    auditLog({ db, cursors }),
    ...tenancy,
    goods,
    vault,
    runs,
    technical,
    business,
    setup,
    requests,
    spread,
    hooks,
    watch,
    news,
    ...views,
  ];
  const upkeep = maintenance({ db });
  const runner = createRunner({
    address: deps.addressOf('portal_queue'),
    log,
    jobs: [...post.jobs, ...who.jobs, ...vault.jobs, ...requests.jobs, ...spread.jobs, ...hooks.jobs, ...watch.jobs, ...news.jobs],
    crons: [
      ...who.crons,
      ...agencies.crons,
      ...through.crons,
      ...queue.crons,
      ...post.crons,
      ...vault.crons,
      ...runs.crons,
      ...technical.crons,
      ...business.crons,
      ...setup.crons,
      ...requests.crons,
      ...spread.crons,
      ...hooks.crons,
      ...watch.crons,
      ...news.crons,
      ...upkeep.crons,
    ],
  });
  const pulse = health({
    db,
    queueDepth: () => runner.depth(),
    engine: async () => (await setup.lookAtEngine()).health,
    mail: post.check,
    countMail: post.countMail,
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
    },
    routes,
    Object.assign({}, ...[...modules, pulse].map((module) => module.routes)),
  );
  await server.ready();

  return {
    server,
    db,
    engine,
    runner,
    runs,
    happened,
    hooks,
    /** Creates the ADMIN of SEED_ADMIN_EMAIL and SEED_ADMIN_PASSWORD unless the address is there already. */
    seedAdmin: (admin: Parameters<typeof seedAdmin>[1]) => seedAdmin({ db, hasher: argon2Hasher }, admin),
    /** Writes every bound connection again, because what it carries has changed (the sandbox has moved). */
    rewriteConnections: () => upkeep.rewriteConnections(),
    /** Begins the work of this process: jobs, dispatch, timeouts. */
    async startWork(): Promise<void> {
      await upkeep.now();
      await setup.reap();
      await runner.start();
      runs.start();
      hooks.start();
      happened.start();
    },
    /** Stops accepting, lets requests and jobs finish, then closes the pool. */
    async stop(): Promise<void> {
      closing.abort();
      // Pipelines run inside requests: they end at their next step, and only then can the server finish its requests.
      await setup.stop();
      await server.close();
      await runs.stop();
      // What happened last still has its reactions, and what they queued is sent or kept for the next start.
      await happened.stop();
      await hooks.stop();
      await runner.stop(STOP_GRACE_MS);
      mailer?.close();
      await notices.close();
      await Promise.all([internal.close(), outbound.close(), deliveries.close()]);
      await pool.end();
    },
  };
}

export type App = Awaited<ReturnType<typeof createApp>>;
