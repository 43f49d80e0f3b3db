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

const LANDING = join(import.meta.dirname, 'landing-app.tsx');
const SIGNUP = join(import.meta.dirname, 'signup-app.tsx');
const PAGES = join(import.meta.dirname, 'pages-app.tsx');
/** What no other page has. */
const ONLY_SIGNUP = /\/portal\/(?:features\/signup\/|signup-app\.tsx)/;
/** Parts of so many pages are with what all pages share: one request for all costs less than one for each. */
const SHARED_BY = 7;
/** Modules of the same few pages share a file of at least so many bytes of source; what is smaller joins its neighbours. */
const PART_BYTES = 6_500;
/** What every chart draws with. */
const PLOTS = /\/ui\/charts\/(?:plot|plot-axes|scale)\.tsx?$|\/node_modules\/d3-/;
/** The schema library, and what all files of the contract share: loaded when someone types. */
const SCHEMAS = /\/node_modules\/zod\/|\/contract\/(?:primitives|field-errors|check-body|define-route|refuse-unknown)\.ts$/;

/**
 * Which modules share a file. A browser asks for few files instead of one for each shared module, and the login for nothing that it does not
 * show:
 *
 * - `main` has what the login needs, and therefore every page;
 * - `landing` has what the landing page needs in addition, most of it a menu that nearly every page has too;
 * - `open` has what the application needs in addition to these, most of it parts of forms, and `signup` what only it has;
 * - `pages` has what every other page needs in addition: the router, the tree of routes;
 * - `shared` has the parts of many pages: tables, charts, menus; `plots` what charts draw with; a `part` those of a few.
 */
export function chunkGroups(): Group[] {
  const isOfLanding = closureOf(LANDING);
  const isOfSignup = closureOf(SIGNUP);
  const isOfPages = closureOf(PAGES);
  return [
    { name: 'main', tags: ['$initial'], priority: 40 },
    { name: (id, graph) => (isOfLanding(id, graph) && isNoSchema(id) ? 'landing' : null), debugName: 'landing', priority: 35 },
    {
      name: (id, graph) => (isOfSignup(id, graph) && isNoSchema(id) && !ONLY_SIGNUP.test(id) ? 'open' : null),
      debugName: 'open',
      priority: 33,
    },
    { name: 'signup', test: (id) => ONLY_SIGNUP.test(id), priority: 32 },
    { name: (id, graph) => (isOfPages(id, graph) ? 'pages' : null), debugName: 'pages', priority: 30 },
    { name: 'schemas', test: (id) => SCHEMAS.test(id), priority: 20 },
    { name: 'shared', test: isNoSchema, minShareCount: SHARED_BY, priority: 10 },
    { name: 'plots', test: (id) => PLOTS.test(id), minShareCount: 2, priority: 7 },
    { name: 'part', test: isNoSchema, minShareCount: 2, entriesAware: true, entriesAwareMergeThreshold: PART_BYTES, priority: 5 },
  ];
}

function isNoSchema(id: string): boolean {
  return !/\/contract\/(?:routes|records)\/|\/messages\/(?:en|de|es)\//.test(id) && !SCHEMAS.test(id);
}

/** Whether a module is this one or statically imported by it, directly or not. */
function closureOf(root: string): (id: string, graph: Graph) => boolean {
  let closure: Set<string> | undefined;
  return (id, graph) => {
    if (!closure) {
      closure = new Set([root]);
      // A set that is walked includes what is added meanwhile.
      for (const module of closure) for (const imported of graph.getModuleInfo(module)?.importedIds ?? []) closure.add(imported);
    }
    return closure.has(id);
  };
}
