// Prepares a fresh clone for start or test. Plain JavaScript without dependencies, because it runs before anything is installed, on
// Node 20 or newer. When nothing has changed it returns at once and needs no network.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { provideChromium } from './prepare/chromium.mjs';

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const BIN = join(ROOT, 'node_modules', '.bin');
const NODE = join(BIN, process.platform === 'win32' ? 'node.exe' : 'node');
const OLDEST = [24, 12];

const goal = process.argv[2] ?? 'start';
const startedAt = Date.now();

requireNode();
installWhenNeeded();
requireRuntime();
buildPortalWhenNeeded();
if (goal === 'test') {
  useCommitHook();
  provideChromium(ROOT, { say, run, fail });
}

function requireNode() {
  const major = Number(process.versions.node.split('.')[0]);
  if (major < 20)
    fail(`Node ${process.versions.node} is too old. Install Node 20 or newer; the version the service runs on is installed automatically.`);
}

/** Installs the lockfile's versions, unless they are already installed. */
function installWhenNeeded() {
  if (isInstalled()) return;
  say('Installing dependencies (npm ci) …');
  // npm replaces node_modules while it runs, so it must not run on the node inside it.
  const path = (process.env.PATH ?? '')
    .split(delimiter)
    .filter((entry) => !entry.startsWith(ROOT))
    .join(delimiter);
  const done = run('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], { env: { ...process.env, PATH: path } });
  if (done.status !== 0) {
    fail(
      'The dependencies could not be installed; see the lines above. ' +
        'The first start needs network access to your package registry; later starts do not.',
    );
  }
}

/** Compares the lockfile with npm's record of the installation, which npm writes last. */
function isInstalled() {
  const want = readJson(join(ROOT, 'package-lock.json'));
  const have = readJson(join(ROOT, 'node_modules', '.package-lock.json'));
  if (!want || !have) return false;
  return Object.entries(want.packages).every(([name, entry]) => {
    if (!name.startsWith('node_modules/') && !name.includes('/node_modules/')) return true;
    const found = have.packages[name];
    if (!found) return entry.optional === true || entry.devOptional === true || entry.peer === true;
    return entry.link === true || found.version === entry.version;
  });
}

/** The service runs on the Node installed with the dependencies, or on the host's Node where there is no package for the platform. */
function requireRuntime() {
  const version = versionOf(NODE);
  if (version && isNewEnough(version)) return;
  if (!isNewEnough(process.versions.node)) {
    fail(
      `No packaged Node for ${process.platform}-${process.arch}, and this one (${process.versions.node}) is older than ${OLDEST.join('.')}. ` +
        `Install Node ${OLDEST[0]} and try again.`,
    );
  }
  mkdirSync(BIN, { recursive: true });
  rmSync(NODE, { force: true });
  symlinkSync(process.execPath, NODE);
}

function versionOf(program) {
  if (!existsSync(program)) return null;
  const result = spawnSync(program, ['--version'], { encoding: 'utf8' });
  return result.status === 0 ? result.stdout.trim().replace(/^v/, '') : null;
}

function isNewEnough(version) {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1]);
}

/** Builds the portal, the only build step, when its sources or those of the packages it imports have changed. */
function buildPortalWhenNeeded() {
  const stampFile = join(ROOT, 'portal', 'dist', '.sources');
  const sources = hashSources(['portal', 'contract', 'core', 'messages'], ['package-lock.json', 'tsconfig.json']);
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === sources) return;
  say('Building the portal …');
  const vite = join(ROOT, 'node_modules', 'vite', 'bin', 'vite.js');
  // The portal empties the folder; the chat page and the script of websites are added to it.
  for (const config of ['vite.config.ts', 'chat/vite.config.ts', 'widget/vite.config.ts']) {
    const done = run(NODE, [vite, 'build', '--logLevel', 'warn', '-c', config], { cwd: join(ROOT, 'portal') });
    if (done.status !== 0) fail('The portal could not be built; see the lines above.');
  }
  if (run(NODE, [join(ROOT, 'portal', 'compress-files.ts')]).status !== 0) fail('The files of the portal could not be compressed.');
  writeFileSync(stampFile, sources);
}

/** Lets git check the form of commits, where the clone has no hooks path of its own. Without git nothing happens. */
function useCommitHook() {
  if (!existsSync(join(ROOT, '.git'))) return;
  const git = (...args) => spawnSync('git', args, { cwd: ROOT, stdio: 'ignore' }).status;
  const isUnset = git('config', '--get', 'core.hooksPath') === 1;
  if (isUnset) git('config', 'core.hooksPath', '.githooks');
}

function hashSources(folders, files) {
  const hash = createHash('sha256');
  const add = (path) => hash.update(relative(ROOT, path)).update('\0').update(readFileSync(path)).update('\0');
  const walk = (folder) => {
    for (const entry of readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))) {
      if (entry.name === 'node_modules' || entry.name === 'dist' || entry.name.startsWith('.')) continue;
      const path = join(folder, entry.name);
      if (entry.isDirectory()) walk(path);
      // Generated by the build itself, or not part of it.
      else if (!/[.-]gen\.ts$|\.test\.ts$|\.md$/.test(entry.name)) add(path);
    }
  };
  for (const folder of folders) walk(join(ROOT, folder));
  for (const file of files) add(join(ROOT, file));
  return hash.digest('hex');
}

function readJson(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return null;
  }
}

function run(program, args, options = {}) {
  return spawnSync(program, args, { cwd: ROOT, stdio: 'inherit', ...options });
}

function say(text) {
  process.stderr.write(`[${((Date.now() - startedAt) / 1000).toFixed(1).padStart(5)} s] ${text}\n`);
}

function fail(text) {
  process.stderr.write(`\n${text}\n`);
  process.exit(1);
}
