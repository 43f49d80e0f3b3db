import { createFileRoute } from '@tanstack/react-router';
import { RunPage } from '../../../features/runs/run-page.tsx';

export const Route = createFileRoute('/dashboard/runs/$id')({ component: Run });

function Run() {
  const { id } = Route.useParams();
  return <RunPage key={id} id={id} />;
}
