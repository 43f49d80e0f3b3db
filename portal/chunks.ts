import { join } from 'node:path';

type Graph = { getModuleInfo(id: string): { importedIds: readonly string[] } | null };
type Group = {
  name: string | ((id: string, graph: Graph) => string | null);
  debugName?: string;
  test?: (id: string) => boolean;
  tags?: '$initial'[];
  minShareCount?: number;
  entriesAware?: boolean;
  entriesAwareMergeThreshold?: number;
  priority: number;
};

const SIGNUP = join(import.meta.dirname, 'signup-app.tsx');
const PAGES = join(import.meta.dirname, 'pages-app.tsx');
/** What an agency sees first: the parts of its routes that the router's plugin splits off. */
const OVERVIEW = ['route.tsx?tsr-split=component', 'index.tsx?tsr-split=component---loader'].map((name) =>
  join(import.meta.dirname, 'routes', 'dashboard', name),
);
/** What derives an agency's colours, which pages of agencies load after they are shown. */
const COLOURS = /\/node_modules\/culori\/|\/core\/tenancy\/brand\.ts$|\/portal\/shared\/brand\.ts$/;
/** Modules that only the signup page uses. */
const ONLY_SIGNUP = /\/portal\/(?:features\/signup\/|signup-app\.tsx)/;
/** Modules used by this many pages join one file: one request costs less than several. */
const SHARED_BY = 5;
/** Minimum source size in bytes of a file shared by the same few pages; smaller files are merged with similar ones. */
const PART_BYTES = 3_000;
/** Modules that every chart uses. */
const PLOTS = /\/ui\/charts\/(?:plot|plot-axes|scale)\.tsx?$|\/node_modules\/d3-/;
/** Icons of few pages, in one file: in small files they would be merged with large ones that only some of these pages need. */
const ICONS = /\/node_modules\/lucide-react\//;
/** Large features of few pages: merged with small shared files, other pages would load them too. */
const AREAS = /\/portal\/features\/(account-lifecycle|chatbot)\//;
/** The lists of the contract, all in one file: which of them a page needs would decide how its other files are cut. */
const LISTS = /\/contract\/vocabulary\//;
/** The schema library, and what all files of the contract share: loaded when someone types. */
const SCHEMAS =
  /\/node_modules\/zod\/|\/contract\/(?:primitives|csv-of|field-errors|check-body|define-route|refuse-unknown|unsubscribe)\.ts$/;

/**
 * Which modules share a file. A browser asks for few files instead of one for each shared module, and the login for nothing that it does not
 * show:
 *
 * - `main` has what the login needs, and therefore every page;
 * - `open` has what the application needs in addition, most of it parts of forms, and `signup` what only it has;
 * - `pages` has what every other page needs in addition: the router, the tree of routes;
 * - `shared` has the parts of many pages that the overview of an agency has too: charts with what draws them, menus, the list; `lists` those of other pages:
 *   filters, drawers; `icons` the icons of few;
 * - `colours` derives the colours of a brand, a `part` has what a few pages share, and a large feature of few pages has a file of its own.
 */
export function chunkGroups(): Group[] {
  const isOfSignup = closureOf(SIGNUP);
  const isOfPages = closureOf(PAGES);
  const isOfOverview = closureOf(...OVERVIEW);
  return [
    { name: 'main', tags: ['$initial'], priority: 40 },
    {
      name: (id, graph) => (isOfSignup(id, graph) && isNoSchema(id) && !ONLY_SIGNUP.test(id) ? 'open' : null),
      debugName: 'open',
      priority: 33,
    },
    { name: 'signup', test: (id) => ONLY_SIGNUP.test(id), priority: 32 },
    { name: (id, graph) => (isOfPages(id, graph) || LISTS.test(id) ? 'pages' : null), debugName: 'pages', priority: 30 },
    { name: 'schemas', test: (id) => SCHEMAS.test(id), priority: 20 },
    { name: 'colours', test: (id) => COLOURS.test(id), priority: 12 },
    {
      name: (id, graph) => ((isOfOverview(id, graph) && isNoSchema(id)) || PLOTS.test(id) ? 'shared' : null),
      debugName: 'shared',
      minShareCount: 2,
      priority: 10,
    },
    { name: 'lists', test: isNoSchemaOrArea, minShareCount: SHARED_BY, priority: 9 },
    { name: 'icons', test: (id) => ICONS.test(id), minShareCount: 2, priority: 8 },
    { name: 'part', test: isNoSchemaOrArea, minShareCount: 2, entriesAware: true, entriesAwareMergeThreshold: PART_BYTES, priority: 5 },
    { name: (id) => AREAS.exec(id)?.[1] ?? null, debugName: 'areas', minShareCount: 2, priority: 4 },
  ];
}

function isNoSchemaOrArea(id: string): boolean {
  return isNoSchema(id) && !AREAS.test(id);
}

function isNoSchema(id: string): boolean {
  return !/\/contract\/(?:routes|records)\/|\/messages\/(?:en|de|es)\//.test(id) && !SCHEMAS.test(id);
}

/** Whether a module is one of these or statically imported by one, directly or not. */
function closureOf(...roots: string[]): (id: string, graph: Graph) => boolean {
  let closure: Set<string> | undefined;
  return (id, graph) => {
    if (!closure) {
      closure = new Set(roots);
      // A set that is walked includes what is added meanwhile.
      for (const module of closure) for (const imported of graph.getModuleInfo(module)?.importedIds ?? []) closure.add(imported);
    }
    return closure.has(id);
  };
}
