import { queryOptions } from '@tanstack/react-query';
import { api } from '../../lib/client.ts';

/** The whole first page in one call (product.md §5.2). */
export const summaryQuery = (clientId: string | undefined) =>
  queryOptions({ queryKey: ['summary', clientId ?? 'all'], queryFn: ({ signal }) => api.getMySummary({ query: clientId ? { clientId } : {}, signal }), placeholderData: (before) => before });
