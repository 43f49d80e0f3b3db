import { createFileRoute } from '@tanstack/react-router';
import { ProblemPage } from '../../features/public/problem-page.tsx';

export const Route = createFileRoute('/problems/$code')({ component: Problem });

function Problem() {
  return <ProblemPage code={Route.useParams().code} />;
}
