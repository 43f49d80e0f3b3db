import type { FieldError } from '@partner-portal/contract/errors.ts';
import { fold } from '../knowledge/words.ts';

type Route = { intent: string; workflowId: string };

/** Returns each origin once, as browsers send it: without the default port of its scheme. */
export function normalOrigins(origins: readonly string[]): string[] {
  return [...new Set(origins.map((origin) => (URL.canParse(origin) ? new URL(origin).origin : origin)))];
}

/** Returns each text once; upper and lower case count as equal. */
export function distinctTexts(texts: readonly string[]): string[] {
  const seen = new Set<string>();
  return texts.filter((text) => !seen.has(fold(text)) && seen.add(fold(text)));
}

/** Returns what is wrong with routes: two of the same intent, or an agent that is not among `usable`. */
export function routeProblems(routes: readonly Route[], usable: ReadonlySet<string>): FieldError[] {
  const intents = routes.map(({ intent }) => fold(intent).replace(/\s+/g, ' ').trim());
  return routes.flatMap(({ workflowId }, n): FieldError[] => {
    if (intents.indexOf(intents[n] ?? '') !== n)
      return [
        { field: `agentRoutes.${n}.intent`, code: 'duplicate', message: 'Another route has this intent. Describe each one differently.' },
      ];
    if (usable.has(workflowId)) return [];
    const message = 'Choose an installed agent of this client or of the whole agency.';
    return [{ field: `agentRoutes.${n}.workflowId`, code: 'unknown', message }];
  });
}
