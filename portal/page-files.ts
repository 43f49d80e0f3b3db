import { join, relative } from 'node:path';
import type { Plugin, Rolldown } from 'vite';
import { firstStyles } from './first-styles.ts';

/** A page of the portal: its address with `:name` for what varies, the scripts that show it, and the part of the stylesheet that it needs, if it needs no more. */
export type PageFiles = { path: string; files: string[]; sheet?: string };

const ROUTES = join(import.meta.dirname, 'routes');
/**
 * Makes the browser compile all functions of a script in the background while it arrives: a page runs most of what it loads, and functions compiled one by one when
 * first called delay the page (https://github.com/WICG/explicit-javascript-compile-hints-file-based). Other browsers treat it as a comment.
 */
const COMPILE_HINT = '//# allFunctionsCalledOnLoad\n';
/** Pages that need a part of the stylesheet. */
const FIRST_PAGES = ['/login', '/signup'];
/** The texts of agencies and staff, who read English; those of clients depend on the reader. */
const ENGLISH = /messages\/en\/index\.ts$/;

/**
 * Writes `pages.json`: which scripts each page needs beyond those that index.html names. The service puts them into the page it sends, so
 * that a browser asks for all of them at once instead of finding one in the other.
 */
export function pageFiles(): Plugin {
  return {
    name: 'page-files',
    apply: 'build',
    generateBundle: {
      // After the files that hold only styles are gone.
      order: 'post',
      handler(_options, bundle) {
        const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
        const pages = listPages(chunks);
        // Only what they load with the page: what shows another page loads the whole stylesheet first.
        const first = pages.filter(({ path }) => FIRST_PAGES.includes(path));
        const scripts = new Set([...entryFiles(chunks), ...first.flatMap(({ files }) => files)]);
        const whole = Object.values(bundle).find((file) => file.type === 'asset' && file.fileName.endsWith('.css'));
        if (whole?.type !== 'asset') throw new Error('The stylesheet of the portal is missing.');
        const sheet = firstStyles(
          String(whole.source),
          chunks.filter(({ fileName }) => scripts.has(fileName)).map(({ code }) => code),
        );
        this.emitFile({ type: 'asset', ...sheet });
        for (const page of first) page.sheet = sheet.fileName;
        const loaded = new Set(pages.flatMap(({ files }) => files));
        for (const chunk of chunks) if (chunk.isEntry || loaded.has(chunk.fileName)) chunk.code = `${COMPILE_HINT}${chunk.code}`;
        this.emitFile({ type: 'asset', fileName: 'pages.json', source: JSON.stringify(pages) });
      },
    },
  };
}

type Chunks = readonly Rolldown.OutputChunk[];

/** The files of these chunks and all that they import at once. */
function closureOf(chunks: Chunks, roots: readonly (Rolldown.OutputChunk | undefined)[]): Set<string> {
  const byName = new Map(chunks.map((chunk) => [chunk.fileName, chunk]));
  const found = new Set(roots.flatMap((root) => root?.fileName ?? []));
  // A set that is walked includes what is added meanwhile.
  for (const name of found) for (const imported of byName.get(name)?.imports ?? []) found.add(imported);
  return found;
}

function entryFiles(chunks: Chunks): Set<string> {
  return closureOf(
    chunks,
    chunks.filter(({ isEntry }) => isEntry),
  );
}

function listPages(chunks: Chunks): PageFiles[] {
  const withImports = (roots: readonly (Rolldown.OutputChunk | undefined)[]) => closureOf(chunks, roots);
  const holder = (isWanted: (id: string) => boolean) => chunks.find(({ moduleIds }) => moduleIds.some(isWanted));
  const known = entryFiles(chunks);
  const pages = holder((id) => id === join(import.meta.dirname, 'pages-app.tsx'));
  const english = holder((id) => ENGLISH.test(id));
  const routes = new Map(chunks.flatMap((chunk) => chunk.moduleIds.flatMap((id) => routeOf(id) ?? []).map((name) => [name, chunk])));
  const list = [...routes.keys()]
    .filter((name) => !isLayout(name) && !['login', 'index', 'signup'].includes(name))
    .map((name) => ({
      path: pathOf(name),
      files: withImports([
        pages,
        ...chainOf(name).map((one) => routes.get(one)),
        /^(?:admin|dashboard)\b/.test(name) ? english : undefined,
      ]),
    }));
  const appOf = (name: string) => withImports([holder((id) => id === join(import.meta.dirname, name))]);
  // The login needs nothing more, and what comes as HTML no router.
  return [{ path: '/login', files: new Set<string>() }, { path: '/signup', files: appOf('signup-app.tsx') }, ...list]
    .map(({ path, files }) => ({ path, files: [...files].filter((file) => !known.has(file)) }))
    .toSorted((a, b) => (a.path < b.path ? -1 : 1));
}

/** The name of a route whose component a module holds: `dashboard/runs/$id`. */
function routeOf(id: string): string | undefined {
  const [path = '', query] = id.split('?');
  const name = relative(ROUTES, path);
  return query?.startsWith('tsr-split=component') && !name.startsWith('..') ? name.replace(/\.tsx$/, '') : undefined;
}

function isLayout(name: string): boolean {
  return /(?:^|\/)(?:route|__root)$/.test(name);
}

/** A route and the layouts around it. */
function chainOf(name: string): string[] {
  const folders = name.split('/').slice(0, -1);
  return [...folders.map((_folder, at) => [...folders.slice(0, at + 1), 'route'].join('/')), name];
}

/** `login_.callback` is `/login/callback`, and `clients/$id` is `/clients/:id`. */
function pathOf(name: string): string {
  const parts = name.split(/[./]/).filter((part) => part !== 'index');
  return `/${parts.map((part) => part.replace(/_$/, '').replace(/^\$/, ':')).join('/')}`;
}
