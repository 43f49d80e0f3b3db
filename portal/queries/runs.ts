import { queryOptions } from '@tanstack/react-query';
import { api, type Reply } from '../app/api.ts';
import { keys } from './keys.ts';

export type RunDetail = Reply<'getExecution'>;

export const runDetailQuery = (id: string) =>
  queryOptions({ queryKey: keys.runs.one(id), queryFn: ({ signal }) => api.getExecution({ params: { id }, signal }) });
