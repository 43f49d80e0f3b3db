/** Method and path of every contract route; made by route-table.ts at build time. */
declare module 'virtual:route-table' {
  import type { Routes } from '@partner-portal/contract';
  export const routes: Routes;
}
