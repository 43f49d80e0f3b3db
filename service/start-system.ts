import { mkdir } from 'node:fs/promises';
import { flushCompileCache } from 'node:module';
import { join } from 'node:path';
import { type EmbeddedEngine, findSharedProject, startEmbeddedEngine } from '#adapters/embedded-engine.ts';
import { createEngineClient } from '#adapters/engine-client.ts';
import { createEngineSend } from '#adapters/engine/engine-send.ts';
import { systemClock } from '#platform/clock.ts';
import { buildIndexes, readIndexes } from '#platform/db/indexes.ts';
import { openDatabaseHost } from '#platform/db/open-host.ts';
import type { DatabaseAddress } from '#platform/db/host.ts';
import { prepareDatabase, SCHEMA_DIR } from '#platform/db/migrate.ts';
import { runStatement } from '#platform/db/statements.ts';
import { serveMetrics } from '#platform/http/metrics.ts';
import { createLog, type Log, openLogFile } from '#platform/log.ts';
import { startTracer } from '#platform/tracing/start-tracer.ts';
import type { Tracer } from '#platform/tracing/tracer.ts';
import { createInternalFetch } from '#platform/outbound/internal-fetch.ts';
import { StartError } from '#platform/start-error.ts';
import type { App } from './app.ts';
import { banner } from './banner.ts';
import { startWarnings } from './check-configuration.ts';
import type { Config } from './config.ts';
import { keepFlowAddress } from './flow-address.ts';
import { createStartSteps, type StartStep } from './start-wait.ts';
import { type RunningSandbox, startProviderSandbox } from './start-sandbox.ts';

export type StartOptions = {
  /** Seed the staff account only. */
  isEmpty: boolean;
  /** Give the demo workspace a past, marked as sample data. */
  hasHistory?: boolean;
  /** Prints progress for the person at the terminal; texts include their line ends. */
  print: (text: string) => void;
  /** Aborts the waiting for a database or engine that is away. */
  signal?: AbortSignal;
};

export type System = { url: string; stop(): Promise<void> };

/**
 * Starts everything this process is responsible for in order of dependency, and stops it in reverse: the listener first, then requests
 * and jobs, then the pool, the engine and Postgres. It listens as soon as the database is ready, because events need no engine to be accepted.
 * A start that fails stops what it had started.
 */
export async function startSystem(config: Config, options: StartOptions): Promise<System> {
  const started: (() => Promise<void>)[] = [];
  const stop = async (): Promise<void> => {
    for (const end of started.splice(0).reverse()) await end();
  };
  try {
    const url = await start(config, options, (end) => started.push(end));
    return { url, stop };
  } catch (error) {
    await stop().catch(() => undefined);
    throw error;
  }
}

async function start(
  config: Config,
  { isEmpty, hasHistory = false, print, signal }: StartOptions,
  onStop: (end: () => Promise<void>) => void,
): Promise<string> {
  const step = (text: string): void => print(`  ${text}\n`);
  // The application reads them once the database is migrated, which a start that fails must not have begun.
  if (config.publicTextsDir !== undefined) {
    const { readPublicTexts, textValues } = await import('./public-texts.ts');
    await readPublicTexts(config.publicTextsDir, textValues(config.invoicing.seller));
  }
  const { log, logFile } = await openLog(config);
  const tracer = await startTracer(config.tracing, log);
  // Last, with the spans of everything that stops before.
  onStop(async () => tracer?.stop());
  // Postgres and the engine may restart while this process starts.
  const patiently = createStartSteps({
    waitSeconds: config.startWaitSeconds,
    onWait: (sentence) => {
      log.warn(sentence);
      step(sentence);
    },
    signal,
  });
  step(config.databaseUrl ? 'Migrating the database' : 'Starting Postgres');
  const opened = await openDatabaseHost({
    databaseUrl: config.databaseUrl,
    dataDir: config.dataDir,
    jwtSecret: config.session.secret,
    log,
  });
  onStop(() => opened.stop());
  // Not sooner: loading holds the event loop for a second, in which the server would not be started.
  const loading = import('./app.ts');
  loading.catch(() => undefined);
  await patiently(() => prepareDatabase(opened.host, opened.database));
  const addressOf = (role: string) => opened.host.configFor(role, opened.database);

  const sandbox = config.providers.sandbox
    ? await patiently(() => startProviderSandbox(config.dataDir, addressOf('portal_sandbox'), config.http.publicBaseUrl))
    : null;
  if (sandbox) onStop(() => sandbox.close());
  const ownEngine = config.engine.enabled && config.engine.baseUrl === null && config.role !== 'http';
  let embedded: EmbeddedEngine | null = null;
  // It stops after the application, whose runs still report.
  onStop(async () => embedded?.stop());

  step('Starting the service');
  const { internalApiUrl } = config.engine;
  const isOwnAddress = internalApiUrl === `http://127.0.0.1:${config.http.port}`;
  const flowAddress = ownEngine && isOwnAddress ? await keepFlowAddress(config.dataDir, internalApiUrl) : internalApiUrl;
  let projectId = config.engine.projectId;
  // The engine counts as absent until its project is known: nothing may be set up between the two.
  const embeddedUrl = (): string | null => (projectId === null ? null : (embedded?.baseUrl() ?? null));
  const engineBaseUrl = (): string | null => config.engine.baseUrl ?? embeddedUrl();
  const engineStarted = Promise.withResolvers<void>();
  if (!ownEngine) engineStarted.resolve();
  const { createApp } = await loading;
  const app = await createApp({
    config: { ...config, engine: { ...config.engine, internalApiUrl: flowAddress } },
    log,
    addressOf,
    sandbox,
    engineBaseUrl,
    engineProjectId: () => projectId,
    engineStarted: engineStarted.promise,
    tracer,
  });
  onStop(() => app.stop());
  // Before the first row of this month: one in the default partition would keep its month from ever getting its own.
  await patiently(() => app.requireDataKeys());
  await patiently(() => app.maintainPartitions());
  await patiently(() => seedStaff(config, app));
  if (sandbox?.moved) await patiently(() => app.rewriteConnections());
  await patiently(() => app.noteStart());
  const tenancy = await patiently(() => app.readTenancyMessage());
  if (tenancy !== null) {
    log.warn(tenancy);
    step(tenancy);
  }
  if (config.role !== 'worker') await listen(config, app);
  await startMetrics(config, app, async () => (await embedded?.codeStepsHeld()) ?? null, onStop);
  if (ownEngine) {
    step('Starting the workflow engine');
    // After the listener: in parallel, both take twice as long, and running executions cannot report.
    const onSlowStart = (sentence: string): void => {
      log.warn(sentence);
      step(sentence);
    };
    const engine = startOwnEngine(
      config,
      { log, tracer, onSlowStart },
      addressOf('portal_engine'),
      { flowAddress, sandboxUrl: sandbox?.url ?? null },
      signal,
    );
    embedded = engine;
    await engine.ready;
    projectId ??= await patiently(() => findProject(config, engine));
    engineStarted.resolve();
  }
  // Reports may have been lost while no process served. A worker process asks by itself when it starts.
  if (config.role === 'http')
    app.askAboutUnderWay().catch((error: unknown) => log.warn({ err: error }, 'executions under way are asked about later'));
  else {
    await patiently(() => app.startWork());
    const indexes = await readIndexes(SCHEMA_DIR);
    const stopping = new AbortController();
    const building = buildIndexes({ ...opened, indexes, log, signal: stopping.signal });
    onStop(async () => {
      stopping.abort();
      await building;
    });
  }

  const url = config.http.publicBaseUrl;
  const isQuickStart = config.databaseUrl === null && config.providers.sandbox;
  const admin =
    config.seedAdmin.email && config.seedAdmin.password
      ? { email: config.seedAdmin.email, password: config.seedAdmin.password.reveal() }
      : null;
  const hasDemo =
    isQuickStart && !isEmpty && admin !== null && (await fillWorkspace(config, app, { admin, sandbox, hasHistory }, { step, patiently }));
  // A killed process would leave nothing of it to the next start.
  flushCompileCache();
  log.info({ url, role: config.role }, 'service ready');
  const websiteUrl = sandbox === null ? null : `${sandbox.url}/sandbox/website`;
  if (isQuickStart) print(banner({ url, dataDir: config.dataDir, logFile, sandbox: config.providers.sandbox, admin, hasDemo, websiteUrl }));
  else {
    for (const warning of startWarnings(config)) step(warning);
    step(`Ready at ${url}`);
  }
  return url;
}

/** Opens the log: a file with the embedded database, where a person uses the terminal; standard output otherwise. */
async function openLog(config: Config): Promise<{ log: Log; logFile: string | null }> {
  const isTraced = config.tracing !== null;
  if (config.databaseUrl) return { log: createLog(config.logLevel, undefined, { isTraced }), logFile: null };
  const logFile = join(config.dataDir, 'service.log');
  await mkdir(config.dataDir, { recursive: true });
  return { log: createLog(config.logLevel, openLogFile(logFile), { isTraced }), logFile };
}

/** Starts the embedded engine. Among private addresses its steps can reach only this service and, when it is on, the sandbox. */
function startOwnEngine(
  config: Config,
  { log, tracer, onSlowStart }: { log: Log; tracer: Tracer | undefined; onSlowStart: (sentence: string) => void },
  database: DatabaseAddress,
  { flowAddress, sandboxUrl }: { flowAddress: string; sandboxUrl: string | null },
  startSignal?: AbortSignal,
) {
  const { adminEmail, adminPassword, encryptionKey, internalApiUrl, tenancyMode } = config.engine;
  // The embedded engine needs no licence for one project per partner.
  const teamProjects = tenancyMode === 'project' ? 'UNLIMITED' : 'ONE';
  if (!adminEmail || !adminPassword || !encryptionKey)
    throw new StartError(
      'The embedded engine needs AUTOMATION_ENGINE_ADMIN_EMAIL, AUTOMATION_ENGINE_ADMIN_PASSWORD and AUTOMATION_ENGINE_ENCRYPTION_KEY.',
    );
  const hostOf = (url: string): string => new URL(url).host;
  const allowedHosts = [flowAddress, sandboxUrl].filter((url) => url !== null).map(hostOf);
  const movedHosts = flowAddress === internalApiUrl ? {} : { [hostOf(flowAddress)]: hostOf(internalApiUrl) };
  const compileCacheDir = join(config.dataDir, 'compiled');
  return startEmbeddedEngine({
    database,
    adminEmail,
    adminPassword,
    encryptionKey,
    teamProjects,
    allowedHosts,
    movedHosts,
    log,
    tracer,
    compileCacheDir,
    startLimitMs: config.startWaitSeconds * 1000,
    startSignal,
    onSlowStart,
  });
}

/** Asks the embedded engine for its project, before the application knows its address. */
async function findProject(config: Config, { baseUrl }: EmbeddedEngine): Promise<string> {
  const internal = createInternalFetch((origin) => origin === baseUrl());
  const { adminEmail, adminPassword } = config.engine;
  const account = adminEmail && adminPassword ? { email: adminEmail, password: adminPassword } : null;
  try {
    return await findSharedProject(createEngineClient({ baseUrl, account, send: createEngineSend(internal), clock: systemClock }));
  } finally {
    await internal.close();
  }
}

async function seedStaff(config: Config, app: App): Promise<void> {
  const { email, password } = config.seedAdmin;
  if (email && password) await app.seedAdmin({ email, password });
}

async function listen(config: Config, app: App): Promise<void> {
  const { host, port } = config.http;
  try {
    await app.server.listen({ host, port });
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'EADDRINUSE')
      throw new StartError(`Port ${port} on ${host} is taken. Stop the other program, or set PORT to a free one.`, { cause: error });
    if (code === 'EACCES' || code === 'EADDRNOTAVAIL')
      throw new StartError(`Cannot listen on ${host}:${port}: ${code}. Set HOST and PORT to an address of this machine.`, { cause: error });
    throw error;
  }
}

async function startMetrics(
  config: Config,
  app: App,
  codeStepsHeld: () => Promise<number | null>,
  onStop: (end: () => Promise<void>) => void,
): Promise<void> {
  if (config.metricsPort === null) return;
  // Its modules are those of the application, which were loaded in the meantime.
  const { metricReadings } = await import('./metric-readings.ts');
  const metrics = await serveMetrics(
    config.http.host,
    config.metricsPort,
    metricReadings(app, codeStepsHeld, config.role !== 'worker'),
  ).catch((error: unknown) => {
    throw new StartError(`The metrics listener cannot open port ${config.metricsPort}. Set METRICS_PORT to a free one.`, { cause: error });
  });
  onStop(() => metrics.close());
}

/** Seeds the demo workspace once; returns whether this installation has one. */
async function fillWorkspace(
  config: Config,
  app: App,
  { admin, sandbox, hasHistory }: { admin: { email: string; password: string }; sandbox: RunningSandbox | null; hasHistory: boolean },
  { step, patiently }: { step: (text: string) => void; patiently: StartStep },
): Promise<boolean> {
  const agencies = await patiently(() =>
    app.db.asSystem('seed', (tx) =>
      runStatement<'start_agencies', { slug: string }>(tx, {
        name: 'start_agencies',
        prepare: false,
        text: 'select slug from partner where not is_house limit 2',
        values: [],
      }),
    ),
  );
  if (agencies.length > 0) return agencies.some((agency) => agency.slug === 'northwind');
  step('Creating a demo workspace through the API');
  const { postSampleEvents, seedWorkspace } = await import('./quick-start/seed-workspace.ts');
  const { seedBilling } = await import('./quick-start/seed-billing.ts');
  const { seedChatbot } = await import('./quick-start/seed-chatbot.ts');
  const { seedConversations } = await import('./quick-start/seed-conversations.ts');
  const history = hasHistory ? await import('./quick-start/history/seed-history.ts') : null;
  const options = {
    baseUrl: config.engine.internalApiUrl,
    admin,
    password: admin.password,
    ...(sandbox === null ? {} : { receiver: { url: `${sandbox.url}/receiver/northwind-crm`, token: sandbox.token.reveal() } }),
    ...(history === null ? {} : { addClients: history.addPastClients }),
    report: (sentence: string) => step(`  ${sentence}`),
  };
  try {
    const workspace = await seedWorkspace(options);
    if (history === null) await seedBilling(options, workspace, app.db);
    else await history.seedPastBilling(options, workspace, app.db, config.invoicing);
    if (workspace.problem === null) await postSampleEvents(options, workspace);
    if (sandbox !== null) {
      const website = { url: `${sandbox.url}/sandbox/website`, token: sandbox.token.reveal() };
      await seedConversations(options, workspace, await seedChatbot(options, workspace, website));
    }
    if (history !== null) await history.seedHistory(options, workspace, app.db);
  } catch (error) {
    // Written through the API step by step: what is missing cannot be distinguished from what someone removed.
    const reason = error instanceof Error ? error.message : String(error);
    throw new StartError(
      `The demo workspace could not be created (${reason}). Start again to use what exists, or delete ${config.dataDir} to start over.`,
      { cause: error },
    );
  }
  return true;
}
