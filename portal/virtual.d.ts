/** Method and path of every contract route, and the access of those that decide a permission; made by route-table.ts at build time. */
declare module 'virtual:route-table' {
  import type { Routes } from '@partner-portal/contract';
  export const routes: Routes;
  /** Names of the reads that may share a request. */
  export const readsTogether: ReadonlySet<string>;
}

/** Method and path of the routes that the login and the application name; made by route-table.ts at build time. */
declare module 'virtual:first-routes' {
  import type { Routes } from '@partner-portal/contract';
  export const firstRoutes: Routes;
}

/** Loads the schema of a route's body, by the name of the route; made by route-table.ts at build time. */
declare module 'virtual:body-schemas' {
  import type { RouteShape } from '@partner-portal/contract/define-route.ts';
  export const bodySchemas: { readonly [routeName: string]: (() => Promise<NonNullable<RouteShape['body']>>) | undefined };
}
