import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { makeDataDir } from '../harness/data-folder.ts';
import { freePort } from '../harness/free-port.ts';
import {
  commandOf,
  COMPILED,
  endLeftovers,
  postmasterPid,
  type Service,
  SERVICE_MAIN,
  spawnService,
  startSystem,
  until,
} from '../harness/system.ts';

// A start that fails says why in one message, ends with 1 and leaves nothing behind that the next start would stumble over.

const ADMIN = { SEED_ADMIN_EMAIL: 'staff@portal.example', SEED_ADMIN_PASSWORD: 'seven green sparrows' };
const dataDir = makeDataDir();
const cluster = join(dataDir, 'postgres', 'cluster');
const settingsFile = join(dataDir, 'settings.env');
let running: { port: number; service: Service } | undefined;

after(async () => {
  if (running?.service.isAlive()) process.kill(running.service.pid, 'SIGTERM');
  await running?.service.ended;
  endLeftovers(dataDir);
  rmSync(dataDir, { recursive: true, force: true });
});

/** The start ends with 1 and these words, in one message for people: no stack, no noise. Nothing of it goes on living. */
async function assertRefused(
  env: Record<string, string>,
  words: RegExp[],
  service = spawnService({ DATA_DIR: dataDir, ...ADMIN, ...env }),
): Promise<string> {
  const { code } = await service.ended;
  const said = service.output();
  assert.equal(code, 1, said);
  for (const word of words) assert.match(said, word);
  assert.doesNotMatch(said, /^\s+at |undefined|\[object|node:internal/m);
  return said;
}

function processesOf(folder: string): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && commandOf(Number(name)).includes(folder))
    .map((name) => commandOf(Number(name)));
}

async function startWell(): Promise<void> {
  const port = await freePort();
  const service = spawnService({ DATA_DIR: dataDir, ...ADMIN, PORT: String(port) });
  running = { port, service };
  await until('the service is ready', async () => {
    if (!service.isAlive()) throw new Error(`The service ended: ${service.output()}`);
    return (await fetch(`http://127.0.0.1:${port}/health/ready`)).ok;
  });
}

async function stopWell(service: Service): Promise<void> {
  await until('the start is over', () => service.output().includes('portal is at'));
  process.kill(service.pid, 'SIGTERM');
  assert.equal((await service.ended).code, 0);
  assert.deepEqual(processesOf(dataDir), []);
}

describe('a start is not refused', () => {
  it('with the engine switched off: the workspace is there, and says why no agent runs', async () => {
    const system = await startSystem({ args: [], env: { AUTOMATION_ENGINE_ENABLED: 'false' } });
    assert.match(system.output(), /could not be installed: Setup is not available right now/);
    const owner = system.client(await system.login('maya@northwind.example', system.admin.password));
    const { status, errorPublic } = await owner.getMyAutomation();
    assert.deepEqual([status, errorPublic], ['failed', 'Setup is not available right now. Please contact support.']);
    assert.equal((await owner.listAgents()).data.length, 4);
    await system.stop();
  });
});

describe('a start is refused', () => {
  it('with settings that are wrong or unknown: all of them are listed at once and nothing is written', async () => {
    const env = {
      PORT: 'eighty',
      AUTOMATION_TENANCY_MODE: 'own',
      AUTOMATION_ENGIN_ENABLED: 'true',
      JWT_SECRET: 'short',
      LOG_LEVEL: 'loud',
    };
    const said = await assertRefused(env, [
      /5 settings need attention/,
      /PORT/,
      /TENANCY_MODE/,
      /AUTOMATION_ENGIN_ENABLED.*AUTOMATION_ENGINE_ENABLED/,
      /JWT_SECRET/,
      /LOG_LEVEL/,
    ]);
    assert.ok(!said.includes('short'), 'a secret is not repeated');
    assert.deepEqual(readdirSync(dataDir), []);
  });

  it('with texts that cannot be read, before a database is there or changed', async () => {
    await assertRefused({ PUBLIC_TEXTS_DIR: SERVICE_MAIN }, [/A text in PUBLIC_TEXTS_DIR cannot be read: ENOTDIR/]);
    assert.ok(!existsSync(join(dataDir, 'postgres')));
  });

  it('on a port that is taken, and everything it had started is stopped again', async () => {
    const holder = createServer().listen(0, '127.0.0.1');
    await once(holder, 'listening');
    const address = holder.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    await assertRefused({ PORT: String(port) }, [new RegExp(`Port ${port} .*is taken`)]);
    holder.close();
    assert.equal(postmasterPid(dataDir), undefined);
    assert.deepEqual(processesOf(dataDir), []);
  });

  it('with a settings file that is damaged, cut off or of another hand', async () => {
    const good = readFileSync(settingsFile);
    const damages: [Buffer | string, RegExp][] = [
      [Buffer.concat([good.subarray(0, 40), Buffer.from([0, 0, 0, 0xff])]), /is damaged/],
      ['JWT_SECRET\nthis is no setting\n', /line 1 .*NAME=value/],
      ['', /JWT_SECRET is missing/],
    ];
    for (const [bytes, words] of damages) {
      writeFileSync(settingsFile, bytes);
      await assertRefused({}, [words]);
    }
    writeFileSync(settingsFile, good);
    assert.deepEqual(processesOf(dataDir), []);
  });

  it('over a damaged database, and the same data starts well once it is repaired', async () => {
    const control = join(cluster, 'global', 'pg_control');
    renameSync(control, `${control}.away`);
    writeFileSync(control, '');
    await assertRefused({ PORT: String(await freePort()) }, [/PostgreSQL database in .* did not start/, /server\.log/]);
    assert.equal(postmasterPid(dataDir), undefined);
    renameSync(`${control}.away`, control);
    const version = join(cluster, 'PG_VERSION');
    const kept = readFileSync(version);
    truncateSync(version);
    writeFileSync(version, '9\n');
    await assertRefused({ PORT: String(await freePort()) }, [/created by PostgreSQL 9/]);
    writeFileSync(version, kept);
    await startWell();
  });

  it('while another service uses the same data, and that service keeps running', async () => {
    assert.ok(running);
    const { port, service } = running;
    await assertRefused({ PORT: String(await freePort()) }, [new RegExp(`process ${service.pid}\\) already uses`)]);
    await until('it is still ready', async () => (await fetch(`http://127.0.0.1:${port}/health/ready`)).status === 200);
    await stopWell(service);
  });
});

/** A disk of its own for one process: a mount that only the process sees and that ends with it. */
function spawnOnDisk(options: string, prepare: string): Service {
  const folder = join(dataDir, 'disk');
  const script = `mkdir -p ${folder} && mount -t tmpfs -o ${options},mode=755 tmpfs ${folder} && ${prepare} && exec "${process.execPath}" "${SERVICE_MAIN}" --empty`;
  // A user who is not root becomes root inside the namespace only.
  const flags = process.getuid?.() === 0 ? ['-m'] : ['-r', '-m'];
  const child = spawn('unshare', [...flags, 'sh', '-c', script], {
    env: { PATH: process.env['PATH'] ?? '', ...COMPILED, ...ADMIN, DATA_DIR: folder },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const ended = new Promise<{ code: number | null; signal: string | null }>((resolve) =>
    child.once('close', (code, signal) => resolve({ code, signal })),
  );
  return { pid: child.pid ?? 0, isAlive: () => child.exitCode === null, output: () => output, ended };
}

describe('a disk', () => {
  it('that cannot be written is named, with what to do', async () => {
    await assertRefused({}, [/cannot be written/, /DATA_DIR/], spawnOnDisk('ro', 'true'));
  });

  it('that is full is named, whether the settings or the database no longer fit', async () => {
    const folder = join(dataDir, 'disk');
    await assertRefused(
      {},
      [/disk that holds .* is full/],
      spawnOnDisk('size=64k', `! dd if=/dev/zero of=${folder}/rest bs=1k 2>/dev/null`),
    );
    await assertRefused({}, [/disk that holds .* is full/], spawnOnDisk('size=12m', 'true'));
    assert.deepEqual(processesOf(folder), []);
    assert.ok(!existsSync(join(folder, 'settings.env')), 'it was a disk of its own');
  });
});
