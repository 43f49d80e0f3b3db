import type { SuggestionDeps } from './deps.ts';
import { suggestionHandlers } from './routes.ts';

/** Texts of its agents that a client suggests, and what its agency decides about them. */
export function textSuggestions(deps: SuggestionDeps) {
  return {
    routes: suggestionHandlers(deps),
  };
}
