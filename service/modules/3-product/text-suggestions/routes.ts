import { defineHandlers } from '#platform/http/context.ts';
import { applySuggestion, declineSuggestion, withdrawSuggestion } from './decide-suggestion.ts';
import type { SuggestionDeps } from './deps.ts';
import { exportSuggestions, readSuggestions } from './list-suggestions.ts';
import { suggestText } from './suggest-text.ts';

export function suggestionHandlers(deps: SuggestionDeps) {
  return defineHandlers({
    suggestText: ({ params, body }, context) => suggestText(deps, context, params.id, body),
    listTextSuggestions: ({ query }, { actor }) => readSuggestions(deps, actor, query),
    exportTextSuggestions: ({ query }, context) => exportSuggestions(deps, context, query),
    applyTextSuggestion: ({ params, body }, context) => applySuggestion(deps, context, params.id, body.replaces),
    declineTextSuggestion: ({ params, body }, context) => declineSuggestion(deps, context, params.id, body.note),
    withdrawTextSuggestion: ({ params }, context) => withdrawSuggestion(deps, context, params.id),
  });
}
