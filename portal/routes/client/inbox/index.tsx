import { createFileRoute } from '@tanstack/react-router';
import { NoSelection } from '../../../features/inbox/no-selection.tsx';

export const Route = createFileRoute('/client/inbox/')({ component: () => <NoSelection clientId={undefined} /> });
