// Provides a Chromium for the browser tests: an installed one, Playwright's download, or the distribution's package, in this order. Fails
// when none works: browser tests are never skipped.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** Headless shell first: it uses a fifth less CPU. */
const NAMES = [
  'chromium-headless-shell',
  'chrome-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'chrome',
];
const PACKAGES = ['chromium-headless-shell', 'chromium'];

/** Writes the path of a working Chromium to `node_modules/.chromium`, where the browser tests read it. */
export function provideChromium(root, { say, run, fail }) {
  const note = join(root, 'node_modules', '.chromium');
  const known = existsSync(note) ? readFileSync(note, 'utf8').trim() : '';
  if (known && existsSync(known)) return;

  const found = findChromium() ?? download(root, say, run) ?? installPackage(say, run);
  if (!found) {
    fail(
      'The browser tests need Chromium, and none was found: there is none on the path, the download failed, and no package could be installed. ' +
        'Install Chromium or Google Chrome and run the tests again.',
    );
    return;
  }
  say(`Browser for the tests: ${found}`);
  writeFileSync(note, `${found}\n`);
}

function findChromium() {
  const onPath = NAMES.flatMap((name) => (process.env.PATH ?? '').split(':').map((folder) => join(folder, name)));
  const candidates = [...onPath, ...playwrightBuilds()];
  return candidates.find((path) => existsSync(path) && works(path)) ?? null;
}

/** Builds that Playwright downloaded earlier. */
function playwrightBuilds() {
  const given = process.env.PLAYWRIGHT_BROWSERS_PATH;
  const folders = [given && given !== '0' ? given : null, join(homedir(), '.cache', 'ms-playwright')].filter(Boolean);
  return folders.flatMap((folder) => {
    if (!existsSync(folder)) return [];
    const builds = readdirSync(folder)
      .filter((name) => /^chromium(_headless_shell)?-/.test(name))
      .sort()
      .reverse();
    const places = [
      'chrome-headless-shell-linux64/chrome-headless-shell',
      'chrome-linux/headless_shell',
      'chrome-linux64/chrome',
      'chrome-linux/chrome',
    ];
    return builds.flatMap((name) => places.map((place) => join(folder, name, place)));
  });
}

/** A stub that only refers to the snap, or a build that lacks a library, prints no version. */
function works(path) {
  const result = spawnSync(path, ['--version'], { encoding: 'utf8', timeout: 15_000 });
  return result.status === 0 && /Chrom/i.test(result.stdout);
}

function download(root, say, run) {
  say('Downloading Chromium for the browser tests (playwright install --only-shell chromium) …');
  const done = run(process.execPath, [join(root, 'node_modules', 'playwright', 'cli.js'), 'install', '--only-shell', 'chromium'], {
    timeout: 300_000,
  });
  return done.status === 0 ? findChromium() : null;
}

function installPackage(say, run) {
  if (!existsSync('/usr/bin/apt-get')) return null;
  const isRoot = process.getuid?.() === 0;
  const prefix = isRoot ? [] : ['sudo', '-n'];
  if (!isRoot && !existsSync('/usr/bin/sudo')) return null;
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const aptGet = (...args) => {
    const [program, ...rest] = [...prefix, 'apt-get', ...args];
    return run(program, rest, { env, timeout: 600_000 }).status === 0;
  };
  aptGet('update', '-q');
  for (const name of PACKAGES) {
    say(`Installing the distribution’s Chromium (apt-get install ${name}) …`);
    if (aptGet('install', '-y', '-q', '--no-install-recommends', name)) return findChromium();
  }
  return null;
}
