import { LIMITS } from '@partner-portal/contract/vocabulary.ts';
import { loadBundles } from '@partner-portal/catalog/index.ts';
import { createBookingReader } from '#adapters/booking-reader.ts';
import type { Secret } from '#platform/secret.ts';
import { accountExport } from '#modules/6-views/account-export/index.ts';
import { agentRequests } from '#modules/4-setup/agent-requests/index.ts';
import { agents } from '#modules/3-product/agents/index.ts';
import { aiProxy } from '#modules/3-product/ai-proxy/index.ts';
import { alerts } from '#modules/5-reactions/alerts/index.ts';
import { catalog } from '#modules/3-product/catalog/index.ts';
import { conversations } from '#modules/3-product/conversations/index.ts';
import { credentials, platformProviders as providersOf } from '#modules/3-product/credentials/index.ts';
import { events } from '#modules/1-ledger/events/index.ts';
import { executions } from '#modules/3-product/executions/index.ts';
import { chatbot } from '#modules/3-product/chatbot/index.ts';
import { clientHome } from '#modules/6-views/client-home/index.ts';
import { onboarding } from '#modules/4-setup/onboarding/index.ts';
import { sampleData } from '#modules/4-setup/sample-data/index.ts';
import { overview } from '#modules/6-views/overview/index.ts';
import { notifications } from '#modules/5-reactions/notifications/index.ts';
import { provisioning } from '#modules/4-setup/provisioning/index.ts';
import { purge } from '#modules/4-setup/purge/index.ts';
import { reports } from '#modules/5-reactions/reports/index.ts';
import { rollouts } from '#modules/4-setup/rollouts/index.ts';
import { webhooks } from '#modules/5-reactions/webhooks/index.ts';
import { staffOverview } from '#modules/6-views/staff-overview/index.ts';
import { trust } from '#modules/6-views/trust/index.ts';
import { stopList } from '#modules/3-product/stop-list/index.ts';
import { textSuggestions } from '#modules/3-product/text-suggestions/index.ts';
import { workQueue } from '#modules/6-views/work-queue/index.ts';
import { workflows } from '#modules/3-product/workflows/index.ts';
import { EMBEDDED_WINDOW_LIMITS, WINDOW_LIMITS } from '@partner-portal/core/execution/window.ts';
import { consequences, eventReactions } from './consequences.ts';
import type { Facts } from '#platform/facts.ts';
import { createTenancy, type PlatformDeps } from './tenancy.ts';

/** Proxies end a request that is not answered after a minute. */
const ANSWER_WITHIN_MS = 50_000;

export type ModuleDeps = PlatformDeps & {
  facts: Facts;
  /** Base URL of the engine; null while the embedded one is starting or when it is switched off. */
  engineBaseUrl: () => string | null;
  /** The configured project, or the one the embedded engine created. */
  engineProjectId: () => string | null;
  /** Resolves once the embedded engine can be used; resolved or left out where another engine is used. */
  engineStarted?: Promise<void>;
  /** The provider sandbox; null unless it is switched on. */
  sandbox: { url: string; token: Secret } | null;
  /** Whether the process is shutting down. */
  isStopping: () => boolean;
};

/** Creates the modules, layer by layer, and what follows from what happens in them. */
export function createModules(deps: ModuleDeps) {
  const { config, log, clock, db, facts, notices, cursors, limits, tracer } = deps;
  const { internal, outbound, deliveries, engine, tenantSql, baseUrls, checkProvider } = deps.parties;
  const { publicBaseUrl } = config.http;

  // Layers 1 and 2: ledger, tenancy
  const tenancy = createTenancy(deps);
  const { mail: mailModule, dataKeys, shared } = tenancy;
  const bundles = loadBundles();
  const templates = bundles.map((bundle) => bundle.template);

  // Layer 3: product
  const { callbackSecret } = config.engine;
  const { platformKeys } = config.providers;
  const platformProviders = providersOf(platformKeys);
  const catalogModule = catalog({ db, platformProviders });
  const credentialsModule = credentials({
    db,
    clock,
    log,
    dataKeys,
    platformKeys,
    baseUrls,
    engine,
    checkProvider,
    tenantSql,
    callbackSecret,
  });
  const aiProxyModule = aiProxy({
    db,
    clock,
    log,
    credentials: credentialsModule,
    callModel: deps.parties.callModel,
    timeoutMs: LIMITS.aiCallTimeoutMs,
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
    waitMinutesMax: config.executionWaitMinutes,
    windowLimits: config.engine.baseUrl === null ? EMBEDDED_WINDOW_LIMITS : WINDOW_LIMITS,
    // The embedded database has one owner at a time.
    isSoleProcess: config.databaseUrl === null,
    failedRunsFree: config.failedRunsFreePerDay,
    firstContactsPerHour: config.firstContactsPerHour,
    tracer,
    traceUrlTemplate: config.traceUrlTemplate,
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

  const chatbotModule = chatbot({ db, clock, cursors, publicBaseUrl, files: tenancy.files, compute: deps.parties.compute });
  const conversationsModule = conversations({
    db,
    notices,
    limits,
    cursors,
    clock,
    log,
    complete: aiProxyModule.complete,
    chatbot: chatbotModule,
    runDirectly: executionsModule.runDirectly,
    templateOf: catalogModule.templateOf,
    templates,
    queueMail: mailModule.queueMail,
    secret: callbackSecret,
    publicBaseUrl,
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
    awaitUnderWay: executionsModule.awaitUnderWay,
    catalog: bundles,
    settings: {
      engineEnabled: engineSettings.enabled,
      provider: engineSettings.provider,
      tenancyMode: engineSettings.tenancyMode,
      engineBaseUrl: deps.engineBaseUrl,
      engineProjectId: deps.engineProjectId,
      engineStarted: deps.engineStarted ?? Promise.resolve(),
      edition: engineSettings.edition,
      embedded: engineSettings.baseUrl === null,
      internalApiUrl: engineSettings.internalApiUrl,
      healthTimeoutMs: engineSettings.healthTimeoutMs,
      provisionTimeoutMinutes: engineSettings.provisionTimeoutMinutes,
      answerWithinMs: ANSWER_WITHIN_MS,
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
    isStopping: deps.isStopping,
  });
  const rolloutsModule = rollouts({
    db,
    clock,
    log,
    templateOf: catalogModule.templateOf,
    provision: provisioningModule.provision,
    provisionTimeoutMinutes: engineSettings.provisionTimeoutMinutes,
    isStopping: deps.isStopping,
  });
  const purgeModule = purge({
    db,
    clock,
    log,
    notices,
    removeFiles: tenancy.files.remove,
    tearDown: provisioningModule.tearDownAccount,
  });
  const webhooksModule = webhooks({ db, notices, cursors, clock, log, dataKeys, fetch: deliveries, baseUrl: publicBaseUrl, tracer });
  const { queueMail, cancelKeyed, links } = mailModule;
  const notificationsModule = notifications({ db, cursors, clock, log, notices, queueMail, cancelKeyed, links });
  const reportsModule = reports({
    db,
    clock,
    log,
    compute: deps.parties.compute,
    files: tenancy.files,
    mail: mailModule,
    limits,
    catalog: templates,
    platformProviders,
  });
  const alertsModule = alerts({ db, cursors, log });
  facts.register(consequences({ notify: notificationsModule.notify, agentRequests: agentRequestsModule, baseUrl: publicBaseUrl }));
  const eventsModule = events({
    db,
    notices,
    log,
    tracer,
    reactions: eventReactions({
      webhooks: webhooksModule,
      mail: mailModule,
      alerts: alertsModule,
      notifications: notificationsModule,
    }),
  });
  const workQueueModule = workQueue({ db });
  const exportsModule = accountExport({ db, files: tenancy.files, clock, log, cursors, notices, notify: notificationsModule.notify });
  const views = [
    exportsModule,
    workQueueModule,
    onboarding({ db, bundles, startTest: executionsModule.startTest, setup: provisioningModule.sample }),
    sampleData({ db }),
    staffOverview({ db }),
    overview({ db, clock, catalog: templates, platformProviders }),
    clientHome({ db, cursors, catalog: templates, templateOf: catalogModule.templateOf, platformProviders }),
    trust({ db, cursors, templateOf: catalogModule.templateOf, platformProviders, deletionDays: config.accountDeletionDays }),
  ];
  const modules = [
    ...tenancy.modules,
    catalogModule,
    credentialsModule,
    aiProxyModule,
    executionsModule,
    workflowsModule,
    agentsModule,
    stopList({ db, cursors }),
    textSuggestions({ db, cursors, templateOf: catalogModule.templateOf }),
    chatbotModule,
    conversationsModule,
    provisioningModule,
    agentRequestsModule,
    rolloutsModule,
    purgeModule,
    webhooksModule,
    alertsModule,
    notificationsModule,
    reportsModule,
    ...views,
  ];
  return {
    /** All that have routes, jobs or crons. */
    modules,
    mail: mailModule,
    dataKeys,
    aiProxy: aiProxyModule,
    conversations: conversationsModule,
    executions: executionsModule,
    provisioning: provisioningModule,
    webhooks: webhooksModule,
    events: eventsModule,
    exports: exportsModule,
    alerts: alertsModule,
    findServed: chatbotModule.findServed,
  };
}
