import { globSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RouteShape } from '@partner-portal/contract/define-route.ts';
import type { Plugin } from 'vite';

const TABLE = 'virtual:route-table';
const SCHEMAS = 'virtual:body-schemas';
const CONTRACT_ROUTES = join(import.meta.dirname, '..', 'contract', 'routes');
/** Where calls of the service are written. */
const SOURCES = '{app,features,queries,routes,shared,ui}/**/*.{ts,tsx}';

/**
 * Serves two modules made from the contract:
 *
 * - `virtual:route-table`: method and path of every route that the portal names, and which may be read together, without the schemas. The client needs nothing else to make a
 *   call, and the schema library would be a sixth of the first load. In development it has all routes, as the source changes.
 * - `virtual:body-schemas`: for each route with a body, a function that loads its contract file and returns the body's schema.
 */
export function routeTable(): Plugin {
  let isBuild = false;
  return {
    name: 'route-table',
    configResolved: ({ command }) => {
      isBuild = command === 'build';
    },
    resolveId: (id) => (id === TABLE || id === SCHEMAS ? `\0${id}` : undefined),
    async load(id) {
      if (id === `\0${TABLE}`) return slimTable(isBuild ? namedInSources() : undefined);
      return id === `\0${SCHEMAS}` ? bodySchemas() : undefined;
    },
  };
}

function namedInSources(): Set<string> {
  const files = globSync(SOURCES, { cwd: import.meta.dirname });
  return new Set(files.flatMap((file) => readFileSync(join(import.meta.dirname, file), 'utf8').match(/\w+/g) ?? []));
}

async function slimTable(named?: ReadonlySet<string>): Promise<string> {
  const { routes } = await import('@partner-portal/contract/index.ts');
  const wanted = Object.entries(routes).filter(([name]) => named?.has(name) ?? true);
  const slim = wanted.map(([name, route]) => [name, { method: route.method, path: route.path }]);
  const { isReadTogether } = await import('@partner-portal/contract/define-route.ts');
  const alone = wanted.filter(([, route]) => route.method === 'GET' && !isReadTogether(route)).map(([name]) => name);
  return [
    `export const routes = ${JSON.stringify(Object.fromEntries(slim))};`,
    `const alone = new Set(${JSON.stringify(alone)});`,
    `export const readsTogether = new Set(Object.keys(routes).filter((name) => routes[name].method === 'GET' && !alone.has(name)));`,
  ].join('\n');
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
