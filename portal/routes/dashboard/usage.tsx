import { createFileRoute } from '@tanstack/react-router';
import { parseUsageSearch } from '../../features/usage/usage-search.ts';
import { UsagePage } from '../../features/usage/usage-page.tsx';
import { loadQueries, startQueries } from '../../app/route-data.ts';
import { getSession } from '../../app/session.ts';
import { chatBudgetsQuery } from '../../queries/chatbot.ts';
import { quotaQuery } from '../../queries/agency.ts';
import { PageSkeleton } from '../../shared/page-skeleton.tsx';
import { SkeletonBlock } from '../../ui/feedback/skeleton.tsx';

export const Route = createFileRoute('/dashboard/usage')({
  validateSearch: parseUsageSearch,
  loader: ({ preload }) => {
    if (getSession()?.user.features.chatbot) startQueries(preload, chatBudgetsQuery(undefined));
    return loadQueries(preload, quotaQuery);
  },
  pendingComponent: () => (
    <PageSkeleton title="Usage & billing">
      <SkeletonBlock height={360} />
    </PageSkeleton>
  ),
  component: Usage,
});

function Usage() {
  const search = Route.useSearch();
  return <UsagePage {...search} client={search.client} />;
}
