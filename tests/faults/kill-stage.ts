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
import { startSystem, type System, until } from '../harness/system.ts';
import { assertEachEndedOnce, loadEvents } from './events.ts';
import { addAgencies, type Agency, ask, assertGone, assertInstalledOnce, damage, succeed } from './kill-agencies.ts';
import { type Line, openLine } from './kill-line.ts';
import { type CallPoint, callPoints, holdStepsOnDemand, LOCK, type Point, type StepPoint, stepPoints } from './kill-points.ts';

// An attempt may lose its process anywhere. Whatever it had done by then is found again: the next one ends in the same state. Many
// agencies stand at a point each when the service is killed, so that one death tries many points. The engine lives on, as a real one does.

const AGENCIES = 20;
/** As many as may wait inside a transaction at once: the service has twenty connections. */
const HELD_BY_DATABASE = 14;
/** Of the fifteen seconds that the service waits for an answer that is held back; the rest is for a machine that stops to think. */
const PATIENCE_MS = 9_000;

const outbound = createInternalFetch(() => true);
let system: System;
let engineProcess: EngineProcess;
let engine: EngineClient;
let line: Line;
let agencies: Agency[];
/** Each start reads them anew: the engine's address and project are known only after the database is there. */
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
  line = await openLine(engineProcess.base);
  const [project] = await engine.listProjects();
  Object.assign(env, { AUTOMATION_ENGINE_BASE_URL: line.url, AUTOMATION_ENGINE_PROJECT_ID: project?.id ?? '' });
  await system.kill('SIGKILL');
  await system.restart();
  agencies = await addAgencies(system, AGENCIES);
  await Promise.all(agencies.map((agency) => succeed(agency, 'provision', 'at first')));
  await holdStepsOnDemand(system);
});
after(async () => {
  await line?.close();
  await engineProcess?.stop();
  await outbound.close();
  await system?.stop();
});

const postgres = () => ({ host: join(system.dataDir, 'postgres', 'socket'), port: 5432, database: 'portal' });

/** An agency is where an attempt of this kind begins. */
async function prepare(mode: AttemptMode, agency: Agency): Promise<void> {
  if (mode === 'repair') return damage(system, engine, agency);
  if (mode !== 'provision') return;
  await succeed(agency, 'deprovision', 'to begin');
  await assertGone(system, agency, 'to begin');
}

async function bringBack(mode: AttemptMode, agency: Agency): Promise<void> {
  if (mode === 'provision' || mode === 'repair') await succeed(agency, mode, 'not needed any more');
}

/** The engine calls of an attempt that nothing disturbs. */
async function recordCalls(mode: AttemptMode): Promise<string[]> {
  const [agency] = agencies;
  assert.ok(agency);
  await prepare(mode, agency);
  void line.hold(agency.partnerId, 0, 'unsent');
  await succeed(agency, mode, 'undisturbed');
  const names = [...line.counted()];
  if (mode === 'deprovision') await succeed(agency, 'provision', 'to go on');
  return names;
}

/** All agencies at once, each held by the database at the step that is its point. */
async function killAtSteps(mode: AttemptMode, points: readonly StepPoint[]): Promise<number> {
  for (const [index, { order, status }] of points.entries())
    await system.query('insert into held_step values ($1, $2, $3)', [agencies[index]?.partnerId, order, status]);
  await withClient({ ...postgres(), user: ADMIN_ROLE }, async (holder) => {
    await holder.query('select pg_advisory_lock($1, $2)', [...LOCK]);
    const asked = agencies.slice(0, points.length).map((agency) => ask(agency, mode).catch(() => undefined));
    await until('every attempt is held', async () => (await waitingSessions()).length === points.length);
    await system.kill('SIGKILL');
    await Promise.all(asked);
  });
  // Let go, their sessions find nobody to answer and take back what they had not committed.
  await until('the dead service has no session left', async () => (await serviceSessions()).length === 0);
  await system.query('truncate held_step');
  return points.length;
}

const waitingSessions = () =>
  system.query("select pid from pg_locks where locktype = 'advisory' and classid = $1 and objid = $2 and not granted", [...LOCK]);
const serviceSessions = () => system.query("select pid from pg_stat_activity where application_name = 'portal service'");

/**
 * One agency after the other, until its attempt is held at the engine call that is its point; then the service dies for all of them.
 * Answers how many that were: the first must not lose its patience before the last is there.
 */
async function killAtCalls(mode: AttemptMode, points: readonly CallPoint[]): Promise<number> {
  const asked: Promise<unknown>[] = [];
  const startedAt = performance.now();
  let slowestMs = 0;
  for (const [index, { nth, loss, name, label }] of points.entries()) {
    const begunAt = performance.now();
    if (begunAt + 2 * slowestMs - startedAt > PATIENCE_MS) break;
    const agency = agencies[index];
    assert.ok(agency);
    const held = line.hold(agency.partnerId, nth, loss);
    const attempt = ask(agency, mode).catch(() => undefined);
    asked.push(attempt);
    assert.equal(await Promise.race([held, attempt.then(() => 'no call: it ended')]), name, label);
    slowestMs = Math.max(slowestMs, performance.now() - begunAt);
  }
  await system.kill('SIGKILL');
  await Promise.all(asked);
  await until('the dead service has no session left', async () => (await serviceSessions()).length === 0);
  return asked.length;
}

/** A quarter of an hour passes while the service is down; claims of two minutes are long over by then. */
async function letTimePass(): Promise<void> {
  await system.query('update automation_instance set due_at = now() where due_at is not null');
  await system.query("update provisioning_attempt set started_at = started_at - interval '1 hour' where status = 'running'");
  await system.query('update engine_connection set claimed_until = now() where claimed_until > now()');
}

/** What the start ended, at once: what a dead process left does not wait for the clock. */
async function assertReaped(mode: AttemptMode, agency: Agency, { label, order, isBegun }: Point): Promise<'failed' | 'unprovisioned'> {
  const [found] = await system.query<{ attempt: string; instance: string; error: string; failed: number[] }>(
    `select a.status as attempt, i.status as instance, i.error_public as error,
       (select array_agg(s."order") from provisioning_step s where s.attempt_id = a.id and s.status = 'failed') as failed
     from provisioning_attempt a join automation_instance i on i.partner_id = a.partner_id where a.partner_id = $1 order by a.number desc limit 1`,
    [agency.partnerId],
  );
  // The claim is committed with the end of its step: until then the instance is nobody's.
  const wasClaimed = mode !== 'provision' || order === null || order > STEP_LISTS.provision.indexOf('claim_instance') + 1;
  const instance = wasClaimed ? 'failed' : 'unprovisioned';
  const error = wasClaimed ? 'Setup stopped because it took too long. Please try again.' : null;
  assert.deepEqual({ ...found, failed: null }, { attempt: 'timed_out', instance, error, failed: null }, label);
  assert.equal(found?.failed?.length ?? 0, isBegun ? 1 : 0, label);
  if (order !== null && isBegun) assert.equal(found?.failed[0], order, label);
  return instance;
}

/** As staff would: half of the times what is left is taken down first. */
async function tryAgain(mode: AttemptMode, index: number, point: Point, turn: number): Promise<void> {
  const agency = agencies[index];
  assert.ok(agency);
  const instance = await assertReaped(mode, agency, point);
  if (instance === 'failed' && turn % 2 === 1) {
    await succeed(agency, 'deprovision', point.label);
    await assertGone(system, agency, point.label);
  }
  await succeed(agency, 'provision', point.label);
  await assertInstalledOnce(system, agency, point.label);
}

/** One event for each agent of these agencies runs once. */
async function assertEventsRunOnce(ready: readonly Agency[]): Promise<void> {
  const agents = ready.flatMap((agency) => agency.agents);
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
  kill: (mode: AttemptMode, some: readonly P[]) => Promise<number>,
): Promise<void> {
  const prepared = new Set<Agency>();
  for (let first = 0; first < points.length;) {
    const some = points.slice(first, first + atOnce);
    const fresh = agencies.slice(0, some.length).filter((agency) => !prepared.has(agency));
    await Promise.all(fresh.map((agency) => prepare(mode, agency)));
    for (const agency of fresh) prepared.add(agency);
    const killed = some.slice(0, await kill(mode, some));
    for (const agency of agencies.slice(0, killed.length)) prepared.delete(agency);
    await letTimePass();
    await system.restart();
    const turn = first;
    await Promise.all(killed.map((point, index) => tryAgain(mode, index, point, turn + index)));
    first += killed.length;
    await assertEventsRunOnce(agencies.filter((agency) => !prepared.has(agency)));
  }
  await Promise.all([...prepared].map((agency) => bringBack(mode, agency)));
}

/** Two tests: killed before or after each step of such an attempt, and in the midst of each of its engine calls. */
export function tryEverywhere(mode: AttemptMode): void {
  it('before or after the work of any step is ended at the restart, and the next attempt leaves everything once', async () => {
    await tryPoints(mode, stepPoints(mode), HELD_BY_DATABASE, killAtSteps);
  });

  it('in the midst of any engine call, before or after the engine has done it, leaves nothing twice either', async () => {
    const names = await recordCalls(mode);
    assert.ok(names.length > 8, names.join(', '));
    await tryPoints(mode, callPoints(mode, names), AGENCIES, killAtCalls);
  });
}

/** The first agency gets a project of its own; then each of these calls of an attempt of its is the one in whose midst the service dies. */
export async function tryInOwnProject(mode: AttemptMode, isTried: (name: string) => boolean): Promise<{ tried: number }> {
  const [agency] = agencies;
  assert.ok(agency);
  await succeed(agency, 'deprovision', 'to change the tenancy');
  env['AUTOMATION_TENANCY_MODE'] = 'project';
  await system.kill('SIGTERM');
  await system.restart();
  await succeed(agency, 'provision', 'with a project of its own');
  const points = callPoints(mode, await recordCalls(mode)).filter((point) => isTried(point.name));
  for (const point of points) {
    await tryPoints(mode, [point], 1, killAtCalls);
    const names: string[] = (await engine.listProjects(agency.partnerId)).map((project) => project.displayName);
    assert.deepEqual(names, [`${agency.slug} ${agency.partnerId}`], point.label);
  }
  return { tried: points.length };
}
