import { globSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isBytes } from '@partner-portal/contract/client.ts';
import type { RouteShape } from '@partner-portal/contract/define-route.ts';
import { PERMISSIONS } from '@partner-portal/core/access/access.ts';
import type { Plugin } from 'vite';

const TABLE = 'virtual:route-table';
const FIRST = 'virtual:first-routes';
const SCHEMAS = 'virtual:body-schemas';
const CONTRACT_ROUTES = join(import.meta.dirname, '..', 'contract', 'routes');
/** Where calls of the service are written. */
const SOURCES = ['{app,features,queries,routes,shared,ui}/**/*.{ts,tsx}'];
/** Those of the login and the application. */
const FIRST_SOURCES = ['{app,features/session,features/signup}/**/*.{ts,tsx}', 'queries/plans.ts'];

/**
 * Serves three modules made from the contract:
 *
 * - `virtual:route-table`: method and path of every route that the portal names, its format where that is bytes, and which may be read together, without the schemas; of those
 *   that decide a permission also the access. The client needs nothing else to make a call, and the schema library would be a sixth of the first load. In development it has all routes, as the source changes.
 * - `virtual:first-routes`: method and path of the routes that the login and the application name, which load no others.
 * - `virtual:body-schemas`: for each route with a body, a function that loads its contract file and returns the body's schema.
 */
export function routeTable(): Plugin {
  let isBuild = false;
  return {
    name: 'route-table',
    configResolved: ({ command }) => {
      isBuild = command === 'build';
    },
    resolveId: (id) => (id === TABLE || id === FIRST || id === SCHEMAS ? `\0${id}` : undefined),
    async load(id) {
      if (id === `\0${TABLE}`) return slimTable(isBuild ? namedIn(SOURCES) : undefined);
      if (id === `\0${FIRST}`) return firstTable(isBuild ? namedIn(FIRST_SOURCES) : undefined);
      return id === `\0${SCHEMAS}` ? bodySchemas() : undefined;
    },
  };
}

function namedIn(sources: string[]): Set<string> {
  const files = globSync(sources, { cwd: import.meta.dirname });
  return new Set(files.flatMap((file) => readFileSync(join(import.meta.dirname, file), 'utf8').match(/\w+/g) ?? []));
}

/** Returns the source of each module by name, with every route of the contract. */
export async function routeModules(): Promise<{ readonly [name: string]: string }> {
  return { [TABLE]: await slimTable(), [FIRST]: await firstTable(), [SCHEMAS]: await bodySchemas() };
}

async function slimTable(named?: ReadonlySet<string>): Promise<string> {
  const { routes } = await import('@partner-portal/contract/index.ts');
  const deciding = new Set<string>(Object.values(PERMISSIONS));
  const wanted = Object.entries(routes).filter(([name]) => deciding.has(name) || (named?.has(name) ?? true));
  const slim = wanted.map(([name, route]) => [name, deciding.has(name) ? { ...called(route), access: route.access } : called(route)]);
  const { isReadTogether } = await import('@partner-portal/contract/define-route.ts');
  const alone = wanted.filter(([, route]) => route.method === 'GET' && !isReadTogether(route)).map(([name]) => name);
  return [
    `export const routes = ${JSON.stringify(Object.fromEntries(slim))};`,
    `const alone = new Set(${JSON.stringify(alone)});`,
    `export const readsTogether = new Set(Object.keys(routes).filter((name) => routes[name].method === 'GET' && !alone.has(name)));`,
  ].join('\n');
}

async function firstTable(named?: ReadonlySet<string>): Promise<string> {
  const { routes } = await import('@partner-portal/contract/index.ts');
  const wanted = Object.entries(routes).filter(([name]) => named?.has(name) ?? true);
  return `export const firstRoutes = ${JSON.stringify(Object.fromEntries(wanted.map(([name, route]) => [name, called(route)])))};`;
}

/** What the client needs of a route to call it, and to read bytes as bytes. */
function called({ method, path, format }: RouteShape): Pick<RouteShape, 'method' | 'path' | 'format'> {
  return { method, path, ...(format !== undefined && isBytes(format) ? { format } : {}) };
}

async function bodySchemas(): Promise<string> {
  const entries: string[] = [];
  for (const file of readdirSync(CONTRACT_ROUTES)) {
    const path = join(CONTRACT_ROUTES, file);
    const groups = (await import(path)) as { [group: string]: { [name: string]: Partial<RouteShape> } }; // a file of the route table, or access.ts
    for (const [group, routes] of Object.entries(groups)) {
      const named = Object.entries(routes).filter(([, route]) => route?.method && route.body);
      entries.push(...named.map(([name]) => `${name}: async () => (await import(${JSON.stringify(path)})).${group}.${name}.body`));
    }
  }
  return `export const bodySchemas = {\n${entries.join(',\n')}\n};`;
}
