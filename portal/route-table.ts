import type { Plugin } from 'vite';

const NAME = 'virtual:route-table';
const RESOLVED = '\0' + NAME;

/**
 * Serves `virtual:route-table`: method and path of every contract route, without the schemas.
 * The client needs nothing else to make a call, and the schema library would be a sixth of the first load.
 */
export function routeTable(): Plugin {
  return {
    name: 'route-table',
    resolveId: (id) => (id === NAME ? RESOLVED : undefined),
    async load(id) {
      if (id !== RESOLVED) return undefined;
      const { routes } = await import('@partner-portal/contract/index.ts');
      const slim = Object.entries(routes).map(([name, route]) => [name, { method: route.method, path: route.path }]);
      return `export const routes = ${JSON.stringify(Object.fromEntries(slim))};`;
    },
  };
}
