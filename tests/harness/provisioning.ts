import { loadBundles } from '@partner-portal/catalog/index.ts';
import type { TemplateBundle } from '@partner-portal/core/template/types.ts';
import { type Engine, startEngine } from '@partner-portal/engine/start.ts';
import { type Sandbox, startSandbox } from '@partner-portal/sandbox/index.ts';
import { createEngineClient, type EngineClient } from '@partner-portal/service/adapters/engine-client.ts';
import { createEngineSend } from '@partner-portal/service/adapters/engine/engine-send.ts';
import { createProviderCheck, providerBaseUrls } from '@partner-portal/service/adapters/provider-check.ts';
import { createTenantSql } from '@partner-portal/service/adapters/tenant-sql.ts';
import { createBookingReader } from '@partner-portal/service/adapters/booking-reader.ts';
import { agentRequests } from '@partner-portal/service/modules/4-setup/agent-requests/index.ts';
import { type Agents, agents } from '@partner-portal/service/modules/3-product/agents/index.ts';
import { credentials } from '@partner-portal/service/modules/3-product/credentials/index.ts';
import { type Executions, executions } from '@partner-portal/service/modules/3-product/executions/index.ts';
import { type Provisioning, provisioning, type ProvisioningSettings } from '@partner-portal/service/modules/4-setup/provisioning/index.ts';
import { onboarding } from '@partner-portal/service/modules/4-setup/onboarding/index.ts';
import { overview } from '@partner-portal/service/modules/6-views/overview/index.ts';
import { files } from '@partner-portal/service/modules/1-ledger/files/index.ts';
import { purge } from '@partner-portal/service/modules/4-setup/purge/index.ts';
import { rollouts } from '@partner-portal/service/modules/4-setup/rollouts/index.ts';
import { type Workflows, workflows } from '@partner-portal/service/modules/3-product/workflows/index.ts';
import { createRunner, type JobRunner } from '@partner-portal/service/platform/jobs/runner.ts';
import { type Notices, openNotices } from '@partner-portal/service/platform/notify.ts';
import { createInternalFetch, type InternalCall, type InternalFetch } from '@partner-portal/service/platform/outbound/internal-fetch.ts';
import { createSafeFetch, type SafeFetch } from '@partner-portal/service/platform/outbound/safe-fetch.ts';
import { Secret } from '@partner-portal/service/platform/secret.ts';
import { freePort } from './free-port.ts';
import { BARRIER_WAIT_MS } from './purge.ts';
import { startTestService, type TestService, type TestServiceOptions } from './service.ts';

const ADMIN = { email: 'engine-admin@example.com', password: 'correct horse battery' };

export type ProvisioningService = TestService & {
  provisioning: Provisioning;
  requests: ReturnType<typeof agentRequests>;
  agents: Agents;
  executions: Executions;
  workflows: Workflows;
  /** Opens a credential of the vault. */
  useCredential: Parameters<typeof workflows>[0]['useCredential'];
  /** The queue of the vault and of agent requests; `drain()` runs what is due. */
  runner: JobRunner;
  client: EngineClient;
  notices: Notices;
  /** The configuration of the pipeline; tests change it between calls. */
  settings: { -readonly [K in keyof ProvisioningSettings]: ProvisioningSettings[K] };
  /** Intercepts calls to engine and sandbox: may delay or refuse a call, or lose its response. */
  wire: {
    /** Runs before the setup of each request. */
    beforeSetup?: (() => Promise<void>) | undefined;
    around: ((call: InternalCall, send: InternalFetch['send']) => ReturnType<InternalFetch['send']>) | undefined;
    /** Whether agent requests and rollouts see a stopping process. */
    isStopping: boolean;
  };
  /** Deletes every setup of the world's partners. */
  forget(): Promise<void>;
  catalog: TemplateBundle[];
  projectId: string;
  /** Saves a working key through the vault's route. */
  saveKey(provider: string, options?: { clientId?: string; as?: 'owner' | 'clientUser' }): Promise<void>;
};

const KEYS: { [provider: string]: object } = {
  twilio: { accountSid: 'ACsandbox', authToken: 'sandbox-token' },
  resend: { apiKey: 're_sandbox' },
  openai: { apiKey: 'sk-sandbox' },
  anthropic: { apiKey: 'sk-ant-sandbox' },
  calcom: { apiKey: 'cal_sandbox' },
  // Saved and bound without being opened; the address must be a public one.
  postgres: { host: '93.184.216.34', port: 5432, database: 'reports', user: 'reader', password: 'reader-password', ssl: true },
};

/**
 * The service with vault, pipeline, sandbox and the embedded engine, called over HTTP as in production. `modules`: modules in addition to
 * these.
 */
export async function startProvisioningService(
  options: Pick<TestServiceOptions, 'database' | 'clock' | 'logLine' | 'world' | 'modules'> = {},
): Promise<ProvisioningService> {
  const sandboxPort = await freePort();
  const sandboxUrl = `http://127.0.0.1:${sandboxPort}`;
  const wire: ProvisioningService['wire'] = { around: undefined, isStopping: false };
  let engineUrl: string | null = null;
  let projectId: string | null = null;
  let running: ReturnType<ProvisioningService['settings']['sandbox']> = null;
  const direct = createInternalFetch(() => true);
  const internal: InternalFetch = {
    send: (call) => (wire.around ? wire.around(call, direct.send) : direct.send(call)),
    close: () => direct.close(),
  };
  const account = { email: ADMIN.email, password: new Secret(ADMIN.password) };
  const client = createEngineClient({
    baseUrl: () => engineUrl,
    account,
    send: createEngineSend(internal),
    clock: { now: () => new Date() },
  });
  const settings: ProvisioningService['settings'] = {
    engineEnabled: true,
    provider: 'activepieces',
    tenancyMode: 'shared',
    engineBaseUrl: () => engineUrl,
    engineProjectId: () => projectId,
    engineStarted: Promise.resolve(),
    edition: 'ce',
    embedded: true,
    internalApiUrl: 'http://127.0.0.1:9',
    healthTimeoutMs: 60_000,
    provisionTimeoutMinutes: 15,
    answerWithinMs: 600_000,
    sandbox: () => running,
  };
  const catalog = [...loadBundles()];
  const made: {
    requests?: ProvisioningService['requests'];
    useCredential?: ProvisioningService['useCredential'];
    technical?: Workflows;
    business?: Agents;
    runs?: Executions;
    module?: Provisioning;
    runner?: JobRunner;
    notices?: Notices;
    outbound?: SafeFetch;
  } = {};
  const service = await startTestService({
    ...options,
    agentRequests: () => made.requests ?? null,
    modules: (platform) => {
      const { db, clock, log, dataKeys, callbackSecret, cursors, database, baseUrl, limits } = platform;
      const outbound = createSafeFetch({ allowedHosts: [`127.0.0.1:${sandboxPort}`] });
      const baseUrls = providerBaseUrls({ openai: null, anthropic: null, calcom: null, resend: null, twilio: null }, sandboxUrl);
      const tenantSql = createTenantSql(outbound);
      const checkProvider = createProviderCheck({ fetch: outbound, baseUrls, tenantSql });
      const platformKeys = { openai: null, anthropic: null };
      const outside = { baseUrls, engine: client, checkProvider, tenantSql };
      const vault = credentials({ db, clock, log, dataKeys, platformKeys, callbackSecret, ...outside });
      const notices = openNotices(database.configFor('portal_service'), log);
      const templateOf = (name: string) => catalog.find((bundle) => bundle.template.name === name)?.template;
      const shared = { db, clock, cursors, baseUrl };
      const isStopping = (): boolean => wire.isStopping;
      const runs = executions({
        ...shared,
        log,
        limits,
        engine: client,
        notices,
        templateOf,
        callbackSecret,
        publicBaseUrl: baseUrl,
        timeoutMinutesDefault: 30,
        waitMinutesMax: 60,
        isSoleProcess: false,
        failedRunsFree: 100,
        firstContactsPerHour: 10_000,
      });
      const { awaitUnderWay } = runs;
      const setup = { settings, internal, awaitUnderWay };
      const module = provisioning({ db, clock, log, notices, engine: client, credentials: vault, catalog, cursors, ...setup });
      const technical = workflows({
        ...shared,
        log,
        templateOf,
        callbackSecret,
        publicBaseUrl: baseUrl,
        accept: runs.accept,
        useCredential: vault.useCredential,
        readBookings: createBookingReader({ fetch: outbound, baseUrl: baseUrls.calcom }),
      });
      const bundleOf = (name: string) => catalog.find((bundle) => bundle.template.name === name);
      const removal = { engine: client, unbindUnneeded: vault.unbindUnneeded, failQueued: runs.failQueued };
      const business = agents({ ...shared, ...removal, log, templateOf, bundleOf, platformProviders: [] });
      const requests = agentRequests({
        ...shared,
        log,
        notices,
        templateOf,
        platformProviders: [],
        provision: async (...order) => {
          await wire.beforeSetup?.();
          return module.provision(...order);
        },
        isStopping,
      });
      const rolloutModule = rollouts({
        db,
        clock,
        log,
        templateOf,
        provision: module.provision,
        provisionTimeoutMinutes: settings.provisionTimeoutMinutes,
        isStopping,
      });
      const removeFiles = files({ db, clock }).store.remove;
      const purges = purge({ db, clock, log, notices, barrierWaitMs: BARRIER_WAIT_MS, removeFiles, tearDown: module.tearDownAccount });
      const jobs = [...vault.jobs, ...requests.jobs, ...rolloutModule.jobs, ...purges.jobs];
      const runner = createRunner({
        address: database.configFor('portal_queue'),
        log,
        jobs,
        crons: [...requests.crons, ...rolloutModule.crons, ...purges.crons],
      });
      Object.assign(made, { module, runner, notices, outbound, runs, technical, business, useCredential: vault.useCredential, requests });
      const firstSteps = onboarding({ db, bundles: catalog, startTest: runs.startTest, setup: module.sample });
      const dashboard = overview({ db, clock, catalog: catalog.map(({ template }) => template), platformProviders: [] });
      const others = options.modules?.(platform) ?? [];
      return [vault, module, requests, rolloutModule, purges, runs, technical, business, firstSteps, dashboard, ...others];
    },
  });
  const { module, runner, notices, outbound, runs, technical, business, useCredential, requests } = made;
  if (!module || !runner || !notices || !outbound || !runs || !technical || !business || !useCredential || !requests)
    throw new Error('The modules were not made.');
  const engine: Engine = await startEngine(
    {
      database: { ...service.database.configFor('portal_engine') },
      adminEmail: ADMIN.email,
      adminPassword: ADMIN.password,
      encryptionKey: Buffer.alloc(32, 3).toString('base64'),
      jwtSecret: 'engine-secret-of-the-tests',
      allowedHosts: ['127.0.0.1'],
    },
    () => undefined,
  );
  engineUrl = `http://127.0.0.1:${engine.port}`;
  const sandbox: Sandbox = await startSandbox({ pg: service.database.configFor('portal_sandbox'), host: '127.0.0.1', port: sandboxPort });
  running = { url: sandboxUrl, token: new Secret(sandbox.token) };
  projectId = (await client.listProjects())[0]?.id ?? null;
  if (projectId === null) throw new Error('The engine has no project.');
  return {
    ...service,
    provisioning: module,
    requests,
    agents: business,
    executions: runs,
    workflows: technical,
    useCredential,
    runner,
    client,
    notices,
    settings,
    wire,
    catalog,
    projectId,
    forget: () =>
      service.db.asSystem('seed', async (tx) => {
        const tables = [
          'firstAnswer',
          'agentRequest',
          'provisioningStep',
          'provisioningAttempt',
          'automationInstance',
          'engineConnection',
          'credential',
          'workflow',
          'templateCopy',
        ] as const;
        for (const table of tables) await tx.deleteFrom(table).execute();
      }),
    async saveKey(provider, { clientId, as = 'owner' } = {}) {
      const body = { sourceMode: 'byok', data: KEYS[provider], ...(clientId === undefined ? {} : { clientId }) };
      const saved = await service.call('PUT', `/credentials/${provider}`, { as, body });
      if (saved.status !== 200) throw new Error(`The key was not saved: ${saved.text}`);
    },
    async close() {
      await runs.stop();
      await module.stop();
      await runner.stop(0);
      await notices.close();
      await engine.close();
      await sandbox.close();
      await Promise.all([direct.close(), outbound.close()]);
      await service.close();
    },
  };
}
