import type { checkBody as CheckBody } from '@partner-portal/contract/check-body.ts';
import type { FieldError } from '@partner-portal/contract/errors.ts';
import type { bodySchemas as BodySchemas } from 'virtual:body-schemas';

type Check = { checkBody: typeof CheckBody; bodySchemas: typeof BodySchemas };

/** First the checker, which configures the schema library, then the library and what the files of the contract share. */
async function load(): Promise<Check> {
  const { checkBody } = await import('@partner-portal/contract/check-body.ts');
  const [{ bodySchemas }] = await Promise.all([import('virtual:body-schemas'), import('@partner-portal/contract/primitives.ts')]);
  return { checkBody, bodySchemas };
}

/** Loads the schema library, so that it is there when a form is submitted. */
export function preloadBodyCheck(): void {
  load().catch(() => undefined);
}

/**
 * Returns what the contract's schema finds in the body of a call. The schemas are no part of the first load: a route's are loaded when it
 * is called. Without them (offline, or after a new release) nothing is found, and the service decides.
 */
export async function findBodyErrors(routeName: string, body: unknown): Promise<FieldError[]> {
  if (body === undefined) return [];
  try {
    const { checkBody, bodySchemas } = await load();
    const schema = await bodySchemas[routeName]?.();
    return schema ? checkBody(schema, JSON.parse(JSON.stringify(body))) : [];
  } catch {
    return [];
  }
}
