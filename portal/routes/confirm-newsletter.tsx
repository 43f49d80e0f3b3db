import { createFileRoute } from '@tanstack/react-router';
import { onlySet, tokenParam } from '../app/search-params.ts';
import { ConfirmSubscriptionPage } from '../features/public/confirm-newsletter-page.tsx';

export const Route = createFileRoute('/confirm-newsletter')({
  validateSearch: (search: Record<string, unknown>) => onlySet({ token: tokenParam(search.token) }),
  component: ConfirmSubscription,
});

function ConfirmSubscription() {
  return <ConfirmSubscriptionPage token={Route.useSearch().token ?? ''} />;
}
