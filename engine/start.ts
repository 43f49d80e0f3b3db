import { Pool } from 'pg';
import type { ClientConfig } from 'pg';
import { trackConnections, watchConnections } from './connection-watch.ts';
import { createDirectory } from './directory.ts';
import { holdExecutorLock } from './executor-lock.ts';
import { createGuardedAgent } from './guard.ts';
import { createIntake } from './intake.ts';
import { logToStderr, messageOf } from './log.ts';
import type { Log } from './log.ts';
import { budgetsOf } from './memory.ts';
import { migrate } from './migrate.ts';
import { engineOptionsSchema } from './options.ts';
import type { EngineOptionsInput } from './options.ts';
import { addConnectionRoutes } from './routes/connections.ts';
import { addFlowRoutes } from './routes/flows.ts';
import { addProjectRoutes, addPublicRoutes } from './routes/platform.ts';
import { addRunRoutes } from './routes/runs.ts';
import { addWebhookRoutes } from './routes/webhooks.ts';
import { createCodeSandbox } from './sandbox/pool.ts';
import { createSeal } from './seal.ts';
import { createServer } from './server.ts';
import { addSignIn, ownerReply } from './sign-in.ts';
import { createConnectionStore } from './store/connections.ts';
import { createFlowStore } from './store/flows.ts';
import { rollPartitions } from './store/partitions.ts';
import { ensurePlatform } from './store/platform.ts';
import { createProjectStore } from './store/projects.ts';
import { createRunLog } from './store/run-log.ts';
import { createRunStore } from './store/runs.ts';
import { createSpanWriter } from './traces.ts';
import { createWorker } from './worker.ts';

const SWEEP_MS = 6 * 3_600_000;
// Both hot statements join small arrays to large tables by key; a plan made while the tables were empty must not
// settle on reading them whole.
const HOT_SETTINGS = '-c plan_cache_mode=force_generic_plan -c enable_hashjoin=off -c enable_mergejoin=off -c enable_seqscan=off';

export type Engine = {
  /** The port that was opened. */
  port: number;
  /** Resolves when runs are being executed: another engine on the same database has to let go first. */
  executing: () => Promise<void>;
  /** Answers what is under way, leaves unfinished runs to the next start, and gives every connection back. */
  close: () => Promise<void>;
};

function createPools(config: ClientConfig, log: Log): { pool: Pool; hot: Pool } {
  const shared = { ...config, keepAlive: true, connectionTimeoutMillis: 5_000, idleTimeoutMillis: 10_000 };
  const pool = new Pool({ ...shared, max: 4, application_name: 'engine' });
  const hot = new Pool({ ...shared, max: 5, application_name: 'engine-hot', options: HOT_SETTINGS });
  // A connection lost while idle is replaced by the pool; unheard it would end the process.
  for (const one of [pool, hot]) one.on('error', (error) => log('warn', 'database.connection_lost', { message: error.message }));
  return { pool, hot };
}

/**
 * Starts an engine: migrates schema `engine`, listens, and takes up unfinished runs. Throws when the options are
 * wrong, the database cannot be reached or the port is taken. `now` (ms) is for tests.
 */
export async function startEngine(input: EngineOptionsInput, log: Log = logToStderr, now: () => number = Date.now): Promise<Engine> {
  const options = engineOptionsSchema.parse(input);
  const config: ClientConfig =
    typeof options.database === 'string'
      ? { connectionString: options.database }
      : { ...options.database, password: options.database.password ?? '', port: options.database.port ?? 5432 };
  const { pool, hot } = createPools(config, log);
  const endPools = [pool, hot].map(trackConnections);
  try {
    return await assemble();
  } catch (error) {
    await Promise.all([pool.end(), hot.end()]);
    throw error;
  }

  async function assemble(): Promise<Engine> {
    const applied = await migrate(pool);
    if (applied.length > 0) log('info', 'engine.migrated', { applied });
    await rollPartitions(pool, now(), options.retentionDays);
    const platform = await ensurePlatform(pool, options.projectId);
    const admin = { email: options.adminEmail, password: options.adminPassword };
    const owner = ownerReply(platform, admin);
    const projects = createProjectStore(pool, platform, options.teamProjects);
    const connections = createConnectionStore(pool, platform, createSeal(options.encryptionKey), owner);
    const flows = createFlowStore(pool, platform);
    const runs = createRunStore(hot, pool);
    const directory = createDirectory(flows, connections, now);
    const budgets = budgetsOf();
    const code = createCodeSandbox(options.codeStepLimitMs);
    const dispatcher = createGuardedAgent(options.allowedHosts, options.concurrency, options.movedHosts);
    const spans = options.traces ? createSpanWriter(process.stdout) : undefined;
    const worker = createWorker({
      runs,
      effects: { dispatcher, code, httpTimeoutMs: options.httpStepTimeoutMs, connections: directory.connections },
      findTrigger: directory.findTrigger,
      budgets,
      log,
      now,
      concurrency: options.concurrency,
      runLimitMs: options.runLimitMs,
      retryWaitMs: options.retryWaitMs,
      stopLimitMs: options.stopLimitMs,
      writeSpan: spans?.write,
    });
    const runLog = createRunLog(pool, runs, platform, worker.startedAt);
    const intake = createIntake({ runs, flows, runLog, worker, now });

    const app = createServer(log);
    let publicUrl = '';
    const checkToken = await addSignIn(app, { platform, admin, jwtSecret: options.jwtSecret, now, projectId: projects.personalId });
    addPublicRoutes(app, pool, code.held, () => publicUrl);
    addWebhookRoutes(app, { directory, intake, worker, budgets, now, syncLimitMs: options.syncLimitMs });
    await app.register(async (scope) => {
      scope.addHook('onRequest', checkToken);
      addProjectRoutes(scope, projects, owner);
      addConnectionRoutes(scope, { connections, projects, onChange: directory.forgetConnection });
      const onRemove = (flowId: string): void => {
        directory.forgetFlow(flowId);
        worker.abortFlow(flowId);
      };
      addFlowRoutes(scope, { flows, projects, owner, onChange: directory.forgetFlow, onRemove });
      addRunRoutes(scope, { runLog, projects, intake, budgets });
    });
    await app.listen({ host: options.host, port: options.port });
    const address = app.server.address();
    const port = typeof address === 'object' && address !== null ? address.port : options.port;
    publicUrl = `http://${options.host}:${port}`;

    const executing = Promise.withResolvers<void>();
    const lock = holdExecutorLock(
      config,
      log,
      async () => {
        await worker.begin();
        log('info', 'executor.held');
        executing.resolve();
      },
      worker.halt,
    );
    const watch = watchConnections(config, log, () => {
      lock.reconnect();
      for (const end of endPools) end();
    });
    const sweep = setInterval(() => {
      rollPartitions(pool, now(), options.retentionDays).catch((error: unknown) =>
        log('error', 'sweep.failed', { message: messageOf(error) }),
      );
    }, SWEEP_MS);
    sweep.unref();
    log('info', 'engine.listening', { port });

    return {
      port,
      executing: () => executing.promise,
      close: async () => {
        clearInterval(sweep);
        await watch.close();
        await app.close();
        await intake.idle();
        await worker.close();
        spans?.close();
        await lock.close();
        await Promise.all([code.close(), dispatcher.destroy(), pool.end(), hot.end()]);
      },
    };
  }
}
