import { z } from 'zod';
import type { RouteShape } from './define-route.ts';
import type { ErrorCode } from './errors.ts';
import { csvText, pageQuery } from './primitives.ts';

type Filters<R extends { query: z.ZodObject }> = z.ZodObject<Omit<R['query']['shape'], keyof (typeof pageQuery)['shape']>>;
type CsvRoute<R extends { query: z.ZodObject }> = Omit<R, 'path' | 'summary' | 'query' | 'reply' | 'errors'> & {
  path: string;
  summary: string;
  query: Filters<R>;
  format: 'csv';
  reply: { 200: typeof csvText };
  errors: ErrorCode[];
};

/** Returns the route that exports a list as CSV: the same access, limit, filters and refusals, without pages. */
export function csvOf<R extends RouteShape & { query: z.ZodObject }>(list: R, summary = 'Export the list as CSV, streamed'): CsvRoute<R> {
  const filters = Object.entries(list.query.shape).filter(([name]) => !Object.hasOwn(pageQuery.shape, name));
  return {
    ...list,
    path: `${list.path}/export.csv`,
    summary,
    query: z.object(Object.fromEntries(filters)) as Filters<R>, // which has the members that were kept
    format: 'csv',
    reply: { 200: csvText },
    errors: list.errors.filter((code) => code !== 'invalid_cursor'),
  };
}
