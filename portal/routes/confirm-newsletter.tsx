import { createFileRoute } from '@tanstack/react-router';
import { searchParser, tokenParam } from '../app/search-params.ts';
import { ConfirmSubscriptionPage } from '../features/public/confirm-newsletter-page.tsx';

const parseSearch = searchParser({ token: tokenParam });

export const Route = createFileRoute('/confirm-newsletter')({
  validateSearch: parseSearch,
  component: ConfirmSubscription,
});

function ConfirmSubscription() {
  return <ConfirmSubscriptionPage token={Route.useSearch().token ?? ''} />;
}
