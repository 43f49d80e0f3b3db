export { readScopedPage } from './read-scoped-page.ts';
export { refuseUnknownScope } from './refuse-unknown-scope.ts';
export { scopeExists } from './store.ts';
