export { readScopedPage, type ScopedFilters } from './read-scoped-page.ts';
export { refuseUnknownScope } from './refuse-unknown-scope.ts';
export { type NamedScope, scopeExists } from './store.ts';
