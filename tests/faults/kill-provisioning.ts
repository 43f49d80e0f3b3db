import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, type TestContext } from 'node:test';
import { STEP_LISTS } from '@partner-portal/core/provisioning/provisioning.ts';
import type { AttemptMode } from '@partner-portal/contract/vocabulary.ts';
import { createEngineClient, type EngineClient } from '@partner-portal/service/adapters/engine-client.ts';
import { createEngineSend } from '@partner-portal/service/adapters/engine/engine-send.ts';
import { ADMIN_ROLE } from '@partner-portal/service/platform/db/embedded.ts';
import { withClient } from '@partner-portal/service/platform/db/roles.ts';
import { createInternalFetch } from '@partner-portal/service/platform/outbound/internal-fetch.ts';
import { Secret } from '@partner-portal/service/platform/secret.ts';
import { type EngineProcess, spawnEngine } from '../engine/process.ts';
import { startSystem, type System, until } from '../harness/system.ts';
import { assertEachEndedOnce, loadEvents } from './events.ts';
import { type EngineProxy, startEngineProxy } from './engine-proxy.ts';
import {
  addPartners,
  assertInstalledOnce,
  assertRemoved,
  damageFlows,
  requestAttempt,
  runAttempt,
  type TestPartner,
} from './kill-partners.ts';
import { callPoints, holdStepsOnDemand, LOCK, type Point, sample, stepPoints } from './kill-points.ts';

// An attempt may lose its process at any point; the next attempt must reach the same state. Many partners are held at one point each
// when the service is killed, so that one kill covers many points. The engine outlives the service, as an external one does. That an attempt which
// stops at any engine call, in any mode, is followed by one that succeeds is tried in process by pipeline.test.ts and teardown.test.ts.

/** How many points one kill covers at most: a step that is held has one of the twenty connections of the service. */
const PARTNERS = 14;
/** The service waits fifteen seconds for an engine response; a kill must come before the first held call times out. */
const HOLD_BUDGET_MS = 9_000;

const outbound = createInternalFetch(() => true);
let system: System;
let engineProcess: EngineProcess;
let engine: EngineClient;
let proxy: EngineProxy;
let partners: TestPartner[];
/** Read at each start: the engine's address and project are known only once the database exists. */
const env: Record<string, string> = {
  AUTOMATION_ENGINE_BASE_URL: 'http://127.0.0.1:9',
  AUTOMATION_HEALTH_TIMEOUT_MS: '15000',
};

before(async () => {
  system = await startSystem({ env });
  const settings = system.settings();
  const account = { email: settings['AUTOMATION_ENGINE_ADMIN_EMAIL'] ?? '', password: settings['AUTOMATION_ENGINE_ADMIN_PASSWORD'] ?? '' };
  engineProcess = await spawnEngine({
    database: { ...postgres(), user: 'portal_engine' },
    adminEmail: account.email,
    adminPassword: account.password,
    encryptionKey: settings['AUTOMATION_ENGINE_ENCRYPTION_KEY'] ?? '',
    jwtSecret: 'engine-secret-of-the-tests',
    allowedHosts: ['127.0.0.1'],
  });
  engine = createEngineClient({
    baseUrl: () => engineProcess.base,
    account: { email: account.email, password: new Secret(account.password) },
    send: createEngineSend(outbound),
    clock: { now: () => new Date() },
  });
  proxy = await startEngineProxy(engineProcess.base);
  const [project] = await engine.listProjects();
  Object.assign(env, { AUTOMATION_ENGINE_BASE_URL: proxy.url, AUTOMATION_ENGINE_PROJECT_ID: project?.id ?? '' });
  await system.kill('SIGKILL');
  await system.restart();
  partners = await addPartners(system, PARTNERS);
  await Promise.all(partners.map((partner) => runAttempt(partner, 'provision', 'initially')));
  await holdStepsOnDemand(system);
});
after(async () => {
  await proxy?.close();
  await engineProcess?.stop();
  await outbound.close();
  await system?.stop();
});

const postgres = () => ({ host: join(system.dataDir, 'postgres', 'socket'), port: 5432, database: 'portal' });

/** Brings a partner into the state in which an attempt of this mode starts. */
async function prepare({ mode }: Pick<Point, 'mode'>, partner: TestPartner): Promise<void> {
  if (mode === 'repair') return damageFlows(system, engine, partner);
  const isMoving = env['AUTOMATION_TENANCY_MODE'] === 'project' && (await engine.listProjects(partner.partnerId)).length === 0;
  if (mode !== 'provision' && !isMoving) return;
  await runAttempt(partner, 'deprovision', 'before');
  await assertRemoved(system, partner, 'before');
  if (mode !== 'provision') await runAttempt(partner, 'provision', 'with a project of its own');
}

/** Returns the points at which an attempt of this mode calls the engine. */
async function recordCalls(mode: AttemptMode): Promise<Point[]> {
  const [partner] = partners;
  assert.ok(partner);
  await prepare({ mode }, partner);
  void proxy.hold(partner.partnerId, 0, 'unsent');
  await runAttempt(partner, mode, 'undisturbed');
  const names = [...proxy.counted()];
  assert.ok(names.length > 4, names.join(', '));
  if (mode === 'deprovision') await runAttempt(partner, 'provision', 'afterwards');
  return callPoints(mode, names);
}

/** Starts the service with one project for all agencies, or one for each, unless it runs so. */
async function useTenancy(tenancy: 'shared' | 'project'): Promise<void> {
  if ((env['AUTOMATION_TENANCY_MODE'] ?? 'shared') === tenancy) return;
  env['AUTOMATION_TENANCY_MODE'] = tenancy;
  await system.kill('SIGTERM');
  await system.restart();
}

type Attempt = { partner: TestPartner; point: Point };

/** Holds every attempt inside the database at the step that is its point, then kills the service. */
async function killAtSteps(attempts: readonly Attempt[]): Promise<number> {
  for (const { partner, point } of attempts)
    if (point.at === 'step')
      await system.query('insert into held_step values ($1, $2, $3)', [partner.partnerId, point.order, point.status]);
  await withClient({ ...postgres(), user: ADMIN_ROLE }, async (holder) => {
    await holder.query('select pg_advisory_lock($1, $2)', [...LOCK]);
    const requests = attempts.map(({ partner, point }) => requestAttempt(partner, point.mode).catch(() => undefined));
    await until('every attempt is held', async () => (await waitingSessions()).length === attempts.length);
    await system.kill('SIGKILL');
    await Promise.all(requests);
  });
  // Released, the sessions find their client gone and roll back.
  await until('the dead service has no session left', async () => (await serviceSessions()).length === 0);
  await system.query('truncate held_step');
  return attempts.length;
}

const waitingSessions = () =>
  system.query("select pid from pg_locks where locktype = 'advisory' and classid = $1 and objid = $2 and not granted", [...LOCK]);
const serviceSessions = () => system.query("select pid from pg_stat_activity where application_name = 'portal service'");

/**
 * Starts one attempt after the other, each held at the engine call that is its point, then kills the service for all of them.
 * Returns how many were held: it stops early when the first would time out before the last is held.
 */
async function killAtCalls(attempts: readonly Attempt[]): Promise<number> {
  const requests: Promise<unknown>[] = [];
  const startedAt = performance.now();
  let slowestMs = 0;
  for (const { partner, point } of attempts) {
    const heldFrom = performance.now();
    if (point.at !== 'call' || heldFrom + 2 * slowestMs - startedAt > HOLD_BUDGET_MS) break;
    const held = proxy.hold(partner.partnerId, point.nth, point.loss);
    const attempt = requestAttempt(partner, point.mode).catch(() => undefined);
    requests.push(attempt);
    assert.equal(await Promise.race([held, attempt.then(() => 'none: the attempt ended')]), point.name, point.label);
    slowestMs = Math.max(slowestMs, performance.now() - heldFrom);
  }
  await system.kill('SIGKILL');
  await Promise.all(requests);
  await until('the dead service has no session left', async () => (await serviceSessions()).length === 0);
  return requests.length;
}

/** Expires every lease and timeout of the dead service. */
async function expireLeases(): Promise<void> {
  await system.query("update automation_instance set due_at = now() - interval '1 second' where due_at is not null");
  await system.query("update provisioning_attempt set started_at = started_at - interval '1 hour' where status = 'running'");
  await system.query("update engine_connection set claimed_until = now() - interval '1 second' where claimed_until > now()");
}

/** Asserts that the restart timed out the attempt of the dead process at once, and returns the instance's status. */
async function assertReaped({ partner, point }: Attempt): Promise<'failed' | 'unprovisioned'> {
  const { mode, label } = point;
  const [found] = await system.query<{ attempt: string; instance: string; error: string; failed: number[] }>(
    `select a.status as attempt, i.status as instance, i.error_public as error,
       (select array_agg(s."order") from provisioning_step s where s.attempt_id = a.id and s.status = 'failed') as failed
     from provisioning_attempt a join automation_instance i on i.partner_id = a.partner_id where a.partner_id = $1 order by a.number desc limit 1`,
    [partner.partnerId],
  );
  // The claim commits with the end of its step; before that the instance is unclaimed.
  const wasClaimed = mode !== 'provision' || point.at === 'call' || point.order > STEP_LISTS.provision.indexOf('claim_instance') + 1;
  const instance = wasClaimed ? 'failed' : 'unprovisioned';
  const error = wasClaimed ? 'Setup stopped because it took too long. Please try again.' : null;
  assert.deepEqual({ ...found, failed: null }, { attempt: 'timed_out', instance, error, failed: null }, label);
  const isStarted = point.at === 'call' || point.status === 'succeeded';
  assert.equal(found?.failed?.length ?? 0, isStarted ? 1 : 0, label);
  if (point.at === 'step' && isStarted) assert.equal(found?.failed[0], point.order, label);
  return instance;
}

/** Retries as staff would; every second failed instance is torn down first. */
async function retry(attempt: Attempt, round: number): Promise<void> {
  const { partner, point } = attempt;
  const instance = await assertReaped(attempt);
  if (instance === 'failed' && round % 2 === 1) {
    await runAttempt(partner, 'deprovision', point.label);
    await assertRemoved(system, partner, point.label);
  }
  await runAttempt(partner, 'provision', point.label);
  await assertInstalledOnce(system, partner, point.label);
  if (env['AUTOMATION_TENANCY_MODE'] !== 'project') return;
  const names: string[] = (await engine.listProjects(partner.partnerId)).map((project) => project.displayName);
  assert.deepEqual(names, [`${partner.slug} ${partner.partnerId}`], point.label);
}

/** Asserts that one event for each agent of these partners is executed once. */
async function assertEventsRunOnce(ready: readonly TestPartner[]): Promise<void> {
  const agents = ready.flatMap((partner) => partner.agents);
  const accepted = await loadEvents(system, agents, agents.length);
  assert.equal(accepted.size, agents.length);
  await assertEachEndedOnce(system, accepted);
  const [ran] = await system.query(
    `select (select count(*)::int from engine.run r where r.input::json->'body'->>'executionId' = any($1)) as runs,
       (select count(*)::int from sandbox.call c where c.body like any(select '%To=%2B' || substr(n, 2) || '&%' from unnest($2::text[]) n)) as texts`,
    [[...accepted.keys()], [...accepted.values()]],
  );
  assert.deepEqual(ran, { runs: agents.length, texts: agents.length });
}

/** Kills the service at each of these points, at as many at once as there are partners, and tries again what it left. */
async function tryPoints(
  points: readonly Point[],
  kill: (attempts: readonly Attempt[]) => Promise<number>,
  between: readonly TestPartner[] = partners,
): Promise<void> {
  const left = [...points];
  let waiting: Attempt[] = [];
  for (let round = 0; left.length + waiting.length > 0;) {
    const free = between.filter((partner) => !waiting.some((one) => one.partner === partner));
    const added = free.flatMap((partner) => left.splice(0, 1).map((point): Attempt => ({ partner, point })));
    await Promise.all(added.map(({ partner, point }) => prepare(point, partner)));
    const attempts = [...waiting, ...added];
    const killed = attempts.slice(0, await kill(attempts));
    waiting = attempts.slice(killed.length);
    await expireLeases();
    await system.restart();
    const first = round;
    await Promise.all(killed.map((attempt, index) => retry(attempt, first + index)));
    round += killed.length;
    await assertEventsRunOnce(killed.map(({ partner }) => partner));
  }
}

/** Kills before and after the steps of attempts of these modes. */
export async function killAtEachStep(modes: readonly AttemptMode[], context: TestContext): Promise<void> {
  await useTenancy('shared');
  const points = sample(modes.flatMap(stepPoints));
  context.diagnostic(points.map(({ label }) => label).join('; '));
  await tryPoints(points, killAtSteps);
}

/** Kills during the engine calls of attempts of these modes. */
export async function killAtEachCall(modes: readonly AttemptMode[], context: TestContext): Promise<void> {
  await useTenancy('shared');
  const recorded: Point[] = [];
  for (const mode of modes) recorded.push(...(await recordCalls(mode)));
  const points = sample(recorded);
  context.diagnostic(points.map(({ label }) => label).join('; '));
  assert.ok(points.length > 6);
  await tryPoints(points, killAtCalls);
}

/** Kills a recreate during each call about the agency's own project; the engine has room for one. */
export async function killAtProjectCalls(): Promise<void> {
  await useTenancy('project');
  const points = (await recordCalls('recreate')).filter((point) => point.of === 'POST projects' || point.of === 'DELETE projects');
  assert.equal(points.length, 4);
  await tryPoints(points, killAtCalls, partners.slice(0, 1));
}
