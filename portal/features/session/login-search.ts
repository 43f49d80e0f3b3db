import { onlySet, textParam } from '../../app/search-params.ts';

export type LoginSearch = { next?: string; email?: string; welcome?: true; reset?: true; ended?: unknown; sso?: string };

/** Reads the parameters of /login; invalid ones are dropped. */
export function readLoginSearch(search: Record<string, unknown>): LoginSearch {
  return {
    ...(typeof search['next'] === 'string' ? { next: search['next'] } : {}),
    ...(typeof search['email'] === 'string' ? { email: search['email'] } : {}),
    ...(search['welcome'] ? { welcome: true } : {}),
    ...(search['reset'] ? { reset: true } : {}),
    ...(search['ended'] ? { ended: search['ended'] } : {}),
    ...onlySet({ sso: textParam(search['sso']) }),
  };
}
