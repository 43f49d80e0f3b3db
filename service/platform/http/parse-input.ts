import type { RouteShape } from '@partner-portal/contract/define-route.ts';
import type { Actor } from '../actor.ts';
import { AppError } from '../refuse.ts';
import type { Input } from './context.ts';
import { fieldErrors } from '@partner-portal/contract/field-errors.ts';

/** Parses the parts of a request by the schemas of its route. Refuses `not_found`, `invalid_query` and `validation_failed`. */
export function parseInput(
  route: RouteShape,
  request: { params: unknown; query: unknown; body?: unknown },
  ownBody: boolean,
): Input<RouteShape> {
  const params = route.params?.safeParse(request.params);
  // A malformed id names nothing: the same response as for an unknown one.
  if ((params && !params.success) || !Object.values(request.params ?? {}).every(isStorable)) throw new AppError('not_found');
  refuseUnstorable(request.query);
  const query = route.query?.safeParse(request.query);
  if (query && !query.success) {
    const [first] = fieldErrors(query.error);
    throw new AppError('invalid_query', {
      detail: `The query parameter "${first?.field ?? ''}" was not accepted: ${first?.message ?? ''}`,
    });
  }
  const body = ownBody ? undefined : parseBody(route, request.body);
  return { params: params?.data ?? {}, query: query?.data ?? {}, body } as Input<RouteShape>; // each part was parsed by its own schema
}

/** Refuses a `partnerId` from any caller but staff, even their own. */
export function refuseForeignScope(actor: Actor | null, given: unknown): void {
  if (!actor || actor.role === 'ADMIN' || typeof given !== 'object' || given === null) return;
  if ('partnerId' in given)
    throw new AppError('scope_forbidden', { detail: 'The agency is taken from your session. Leave partnerId out.' });
}

/** Neither a text nor a JSON column takes NUL and unpaired surrogates. */
function isStorable(value: unknown): boolean {
  return typeof value !== 'string' || (!value.includes('\u0000') && value.isWellFormed());
}

/** A query is flat: texts, or lists of them. */
function refuseUnstorable(query: unknown): void {
  for (const [name, value] of Object.entries(query ?? {})) {
    if ([name, ...(Array.isArray(value) ? value : [value])].every(isStorable)) continue;
    const shown = name.replaceAll('\u0000', '').toWellFormed();
    throw new AppError('invalid_query', {
      detail: `The query parameter "${shown}" was not accepted: This text contains a character that cannot be stored.`,
    });
  }
}

function parseBody(route: RouteShape, given: unknown): unknown {
  if (!route.body) return undefined;
  let parsed = route.body.safeParse(given ?? undefined);
  // Nothing sent where an object is wanted: name the members that are missing rather than "the body".
  if (!parsed.success && (given === undefined || given === null)) parsed = route.body.safeParse({});
  if (parsed.success) return parsed.data;
  const errors = fieldErrors(parsed.error);
  const count = errors.length === 1 ? '1 field was' : `${errors.length} fields were`;
  throw new AppError('validation_failed', { detail: `${count} not accepted.`, errors });
}
