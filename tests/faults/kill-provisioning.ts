import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, it } from 'node:test';
import { STEP_LISTS } from '@partner-portal/core/provisioning/provisioning.ts';
import type { AttemptMode } from '@partner-portal/contract/vocabulary.ts';
import { createEngineClient, type EngineClient } from '@partner-portal/service/adapters/engine-client.ts';
import { createEngineSend } from '@partner-portal/service/adapters/engine/engine-send.ts';
import { ADMIN_ROLE } from '@partner-portal/service/platform/db/embedded.ts';
import { withClient } from '@partner-portal/service/platform/db/roles.ts';
import { createInternalFetch } from '@partner-portal/service/platform/outbound/internal-fetch.ts';
import { Secret } from '@partner-portal/service/platform/secret.ts';
import { type EngineProcess, spawnEngine } from '../engine/process.ts';
import { isFull } from '../harness/full.ts';
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
import { type CallPoint, callPoints, holdStepsOnDemand, LOCK, type Point, sampleNew, type StepPoint, stepPoints } from './kill-points.ts';

// An attempt may lose its process at any point; the next attempt must reach the same state. Many partners are held at one point each
// when the service is killed, so that one kill covers many points. The engine outlives the service, as an external one does.

/** How many points one kill covers at most. */
const PARTNERS = isFull ? 20 : 12;
/** Transactions that may wait at once: the service has twenty connections. */
const HELD_BY_DATABASE = 14;
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
async function prepare(mode: AttemptMode, partner: TestPartner): Promise<void> {
  if (mode === 'repair') return damageFlows(system, engine, partner);
  if (mode !== 'provision') return;
  await runAttempt(partner, 'deprovision', 'before');
  await assertRemoved(system, partner, 'before');
}

/** Undoes `prepare` for a partner whose attempt was not needed. */
async function restore(mode: AttemptMode, partner: TestPartner): Promise<void> {
  if (mode === 'provision' || mode === 'repair') await runAttempt(partner, mode, 'unused');
}

/** Returns the names of the engine calls of an undisturbed attempt. */
async function recordCalls(mode: AttemptMode): Promise<string[]> {
  const [partner] = partners;
  assert.ok(partner);
  await prepare(mode, partner);
  void proxy.hold(partner.partnerId, 0, 'unsent');
  await runAttempt(partner, mode, 'undisturbed');
  const names = [...proxy.counted()];
  if (mode === 'deprovision') await runAttempt(partner, 'provision', 'afterwards');
  return names;
}

/** Holds every partner's attempt inside the database at the step that is its point, then kills the service. */
async function killAtSteps(mode: AttemptMode, points: readonly StepPoint[]): Promise<number> {
  for (const [index, { order, status }] of points.entries())
    await system.query('insert into held_step values ($1, $2, $3)', [partners[index]?.partnerId, order, status]);
  await withClient({ ...postgres(), user: ADMIN_ROLE }, async (holder) => {
    await holder.query('select pg_advisory_lock($1, $2)', [...LOCK]);
    const requests = partners.slice(0, points.length).map((partner) => requestAttempt(partner, mode).catch(() => undefined));
    await until('every attempt is held', async () => (await waitingSessions()).length === points.length);
    await system.kill('SIGKILL');
    await Promise.all(requests);
  });
  // Released, the sessions find their client gone and roll back.
  await until('the dead service has no session left', async () => (await serviceSessions()).length === 0);
  await system.query('truncate held_step');
  return points.length;
}

const waitingSessions = () =>
  system.query("select pid from pg_locks where locktype = 'advisory' and classid = $1 and objid = $2 and not granted", [...LOCK]);
const serviceSessions = () => system.query("select pid from pg_stat_activity where application_name = 'portal service'");

/**
 * Starts one attempt after the other, each held at the engine call that is its point, then kills the service for all of them.
 * Returns how many were held: it stops early when the first would time out before the last is held.
 */
async function killAtCalls(mode: AttemptMode, points: readonly CallPoint[]): Promise<number> {
  const requests: Promise<unknown>[] = [];
  const startedAt = performance.now();
  let slowestMs = 0;
  for (const [index, { nth, loss, name, label }] of points.entries()) {
    const heldFrom = performance.now();
    if (heldFrom + 2 * slowestMs - startedAt > HOLD_BUDGET_MS) break;
    const partner = partners[index];
    assert.ok(partner);
    const held = proxy.hold(partner.partnerId, nth, loss);
    const attempt = requestAttempt(partner, mode).catch(() => undefined);
    requests.push(attempt);
    assert.equal(await Promise.race([held, attempt.then(() => 'none: the attempt ended')]), name, label);
    slowestMs = Math.max(slowestMs, performance.now() - heldFrom);
  }
  await system.kill('SIGKILL');
  await Promise.all(requests);
  await until('the dead service has no session left', async () => (await serviceSessions()).length === 0);
  return requests.length;
}

/** Expires every lease and timeout of the dead service. */
async function expireLeases(): Promise<void> {
  await system.query('update automation_instance set due_at = now() where due_at is not null');
  await system.query("update provisioning_attempt set started_at = started_at - interval '1 hour' where status = 'running'");
  await system.query('update engine_connection set claimed_until = now() where claimed_until > now()');
}

/** Asserts that the restart timed out the attempt of the dead process at once, and returns the instance's status. */
async function assertReaped(
  mode: AttemptMode,
  partner: TestPartner,
  { label, order, isStarted }: Point,
): Promise<'failed' | 'unprovisioned'> {
  const [found] = await system.query<{ attempt: string; instance: string; error: string; failed: number[] }>(
    `select a.status as attempt, i.status as instance, i.error_public as error,
       (select array_agg(s."order") from provisioning_step s where s.attempt_id = a.id and s.status = 'failed') as failed
     from provisioning_attempt a join automation_instance i on i.partner_id = a.partner_id where a.partner_id = $1 order by a.number desc limit 1`,
    [partner.partnerId],
  );
  // The claim commits with the end of its step; before that the instance is unclaimed.
  const wasClaimed = mode !== 'provision' || order === null || order > STEP_LISTS.provision.indexOf('claim_instance') + 1;
  const instance = wasClaimed ? 'failed' : 'unprovisioned';
  const error = wasClaimed ? 'Setup stopped because it took too long. Please try again.' : null;
  assert.deepEqual({ ...found, failed: null }, { attempt: 'timed_out', instance, error, failed: null }, label);
  assert.equal(found?.failed?.length ?? 0, isStarted ? 1 : 0, label);
  if (order !== null && isStarted) assert.equal(found?.failed[0], order, label);
  return instance;
}

/** Retries as staff would; every second failed instance is torn down first. */
async function retry(mode: AttemptMode, index: number, point: Point, round: number): Promise<void> {
  const partner = partners[index];
  assert.ok(partner);
  const instance = await assertReaped(mode, partner, point);
  if (instance === 'failed' && round % 2 === 1) {
    await runAttempt(partner, 'deprovision', point.label);
    await assertRemoved(system, partner, point.label);
  }
  await runAttempt(partner, 'provision', point.label);
  await assertInstalledOnce(system, partner, point.label);
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

async function tryPoints<P extends Point>(
  mode: AttemptMode,
  points: readonly P[],
  atOnce: number,
  kill: (mode: AttemptMode, batch: readonly P[]) => Promise<number>,
): Promise<void> {
  const prepared = new Set<TestPartner>();
  for (let first = 0; first < points.length;) {
    const batch = points.slice(first, first + atOnce);
    const unprepared = partners.slice(0, batch.length).filter((partner) => !prepared.has(partner));
    await Promise.all(unprepared.map((partner) => prepare(mode, partner)));
    for (const partner of unprepared) prepared.add(partner);
    const killed = batch.slice(0, await kill(mode, batch));
    for (const partner of partners.slice(0, killed.length)) prepared.delete(partner);
    await expireLeases();
    await system.restart();
    const round = first;
    await Promise.all(killed.map((point, index) => retry(mode, index, point, round + index)));
    first += killed.length;
    // The agents of the others have run before, and no attempt has touched them since.
    const retried = partners.slice(0, killed.length);
    await assertEventsRunOnce(isFull ? partners.filter((partner) => !prepared.has(partner)) : retried);
  }
  await Promise.all([...prepared].map((partner) => restore(mode, partner)));
}

/** Defines two tests: killed before and after each step of an attempt of this mode, and during each of its engine calls. */
export function testKills(mode: AttemptMode): void {
  it('before or after the work of any step is ended at the restart, and the next attempt leaves everything once', async (context) => {
    const points = sampleNew(stepPoints(mode));
    assert.ok(points.length > 0);
    context.diagnostic(`${points.length} points`);
    await tryPoints(mode, points, HELD_BY_DATABASE, killAtSteps);
  });

  // A repair makes no call that the other modes do not make.
  if (mode === 'repair' && !isFull) return;
  it('during any engine call, before or after the engine has done it, leaves nothing twice either', async (context) => {
    const names = await recordCalls(mode);
    assert.ok(names.length > 8, names.join(', '));
    const points = sampleNew(callPoints(mode, names));
    assert.ok(points.length > 0);
    context.diagnostic(`${points.length} points`);
    await tryPoints(mode, points, PARTNERS, killAtCalls);
  });
}

/** Gives the first partner a project of its own, then kills the service during each of these calls of an attempt. Returns how many there were. */
export async function killInOwnProject(mode: AttemptMode, isWanted: (name: string) => boolean): Promise<number> {
  const [partner] = partners;
  assert.ok(partner);
  await runAttempt(partner, 'deprovision', 'to change the tenancy');
  env['AUTOMATION_TENANCY_MODE'] = 'project';
  await system.kill('SIGTERM');
  await system.restart();
  await runAttempt(partner, 'provision', 'with a project of its own');
  const points = sampleNew(callPoints(mode, await recordCalls(mode)).filter((point) => isWanted(point.name)));
  for (const point of points) {
    await tryPoints(mode, [point], 1, killAtCalls);
    const names: string[] = (await engine.listProjects(partner.partnerId)).map((project) => project.displayName);
    assert.deepEqual(names, [`${partner.slug} ${partner.partnerId}`], point.label);
  }
  return points.length;
}
