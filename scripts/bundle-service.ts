import { existsSync, globSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { type Plugin, rolldown } from 'rolldown';

/**
 * `npm run build:service`: writes the service, the engine, the process of code steps and each thread as one file, because finding, reading and stripping
 * three thousand modules is nearly all of a start. Files that are read while it runs (SQL, templates, the portal) stay where they are in
 * the repository: `service/dist` reads them from there.
 */
const ROOT = join(import.meta.dirname, '..');
const OUT = join('service', 'dist');

/** Processes; threads are found by their `new URL('./name.ts', import.meta.url)`. */
const PROCESSES = {
  portal: 'service/command.ts',
  health: 'service/health-probe.ts',
  engine: 'engine/main.ts',
  'code-steps': 'engine/sandbox/child.ts',
};

/** Stay packages: what is native, starts threads of its own files, or reads files next to its code. The image holds these and what they need. */
const PACKAGES = ['sharp', '@node-rs/argon2', 'isolated-vm', 'pdfkit', 'piscina', '@fastify/swagger-ui'] as const;
/** Named by what reads them, not imported. */
const READ_PACKAGES = ['@expo-google-fonts/inter'] as const;

const THREAD = /new URL\('(\.[^']*\.ts)', import\.meta\.url\)/g;

type Entry = { name: string; file: string };

/** Returns the files to write: the processes and every thread that a source names. */
export function findEntries(): Entry[] {
  const files = globSync('{service,engine}/**/*.ts', { cwd: ROOT, exclude: (name) => name === 'node_modules' || name === 'dist' });
  const threads = files
    .filter((file) => !file.endsWith('.test.ts'))
    .flatMap((file) => [...readFileSync(join(ROOT, file), 'utf8').matchAll(THREAD)].map(([, path = '']) => join(dirname(file), path)));
  const processes = Object.entries(PROCESSES).map(([name, file]) => ({ name, file }));
  const known = new Set(processes.map(({ file }) => file));
  const entries = [
    ...processes,
    ...[...new Set(threads)].filter((file) => !known.has(file)).map((file) => ({ name: basename(file, '.ts'), file })),
  ];
  const names = entries.map(({ name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new Error(`Two files of the service would become ${OUT}/${twice}.js: rename one of them.`);
  return entries;
}

/** Lets what is read by its place be found from the folder of the files written here: an entry as its file, all else where the source has it. */
function placesOf(entries: readonly Entry[]): Plugin {
  const written = new Map(entries.map(({ name, file }) => [file, name]));
  const up = relative(OUT, '.');
  return {
    name: 'places',
    transform: {
      filter: { id: { exclude: /node_modules/ }, code: /import\.meta/ },
      handler(code, id) {
        const folder = dirname(relative(ROOT, id));
        const places = code
          .replaceAll('import.meta.dirname', `(import.meta.dirname + '/${join(up, folder)}')`)
          .replaceAll("import.meta.resolve('@partner-portal/engine/main.ts')", "import.meta.resolve('./engine.js')")
          .replace(/new URL\('(\.[^']*)', import\.meta\.url\)/g, (_whole, path: string) => {
            const target = join(folder, path);
            const name = written.get(target);
            return `new URL('${name === undefined ? join(up, target) : `./${name}.js`}', import.meta.url)`;
          });
        return { code: places, map: null };
      },
    },
  };
}

async function bundle({ name, file }: Entry, plugin: Plugin, dir: string): Promise<number> {
  const build = await rolldown({
    input: { [name]: join(ROOT, file) },
    platform: 'node',
    external: [...PACKAGES, 'pg-native'],
    plugins: [plugin],
    onLog: (level, log, report) => {
      // Packages that use eval for what we do not call.
      if (log.code !== 'EVAL') report(level, log);
    },
  });
  const { output } = await build.write({ dir, format: 'esm', codeSplitting: false, sourcemap: true, sourcemapExcludeSources: true });
  await build.close();
  return output.reduce((sum, part) => sum + (part.type === 'chunk' ? part.code.length : 0), 0);
}

/** Folders of the packages that the files need while they run, with all that these need; of other platforms none are installed. */
function packageFolders(): string[] {
  const lock = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { dependencies?: Record<string, string>; optionalDependencies?: Record<string, string> }>;
  };
  const found = new Set<string>();
  const visit = (name: string, from: string): void => {
    for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules')))) {
      const path = folder === '' ? `node_modules/${name}` : `${folder}/node_modules/${name}`;
      const entry = lock.packages[path];
      if (entry === undefined) {
        if (folder === '') return;
        continue;
      }
      if (found.has(path)) return;
      found.add(path);
      for (const needed of Object.keys({ ...entry.dependencies, ...entry.optionalDependencies })) visit(needed, path);
      return;
    }
  };
  for (const name of [...PACKAGES, ...READ_PACKAGES]) visit(name, 'service');
  return [...found].filter((folder) => existsSync(join(ROOT, folder))).toSorted();
}

/** Uses of `import.meta` that the files written here would not understand: all but those that `placesOf` moves, and what packages are found from. */
export function findUnplaced(code: string): string[] {
  const known = /import\.meta\.(?:dirname|main)\b|(?:createRequire|new URL)\((?:'\.[^']*', )?import\.meta\.url\)|import\.meta\.resolve\(/g;
  return [...code.replace(known, '').matchAll(/.*import\.meta.*/g)].map(([line]) => line.trim());
}

async function main(): Promise<void> {
  const entries = findEntries();
  const places = placesOf(entries);
  const fresh = `${OUT}.${process.pid}`;
  process.chdir(ROOT);
  for (const entry of entries) {
    const bytes = await bundle(entry, places, fresh);
    process.stdout.write(`${`${entry.name}.js`.padEnd(24)}${(bytes / 1e6).toFixed(1).padStart(6)} MB\n`);
  }
  rmSync(OUT, { recursive: true, force: true });
  // All or nothing: a start uses no half of a build.
  renameSync(fresh, OUT);
  // Last, because the folders above changed just now: `npm start` compares its time with theirs.
  writeFileSync(
    join(OUT, 'packages.txt'),
    packageFolders()
      .map((folder) => `${folder}\n`)
      .join(''),
  );
}

if (import.meta.main) await main();
