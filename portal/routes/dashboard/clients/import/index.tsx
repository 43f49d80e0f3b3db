import { createFileRoute } from '@tanstack/react-router';
import { startQueries } from '../../../../app/route-data.ts';
import { ImportPage } from '../../../../features/client-import/import-page.tsx';
import { clientImportsQuery } from '../../../../features/client-import/queries.ts';

export const Route = createFileRoute('/dashboard/clients/import/')({
  loader: ({ preload }) => startQueries(preload, clientImportsQuery()),
  component: ImportPage,
});
