/** Method and path of every contract route; made by route-table.ts at build time. */
declare module 'virtual:route-table' {
  export const routes: import('@house/contract').Routes;
}
