import { createFileRoute } from '@tanstack/react-router';
import { SuggestionsPage } from '../../features/requests/suggestions-page.tsx';

export const Route = createFileRoute('/client/suggestions')({ component: SuggestionsPage });
