import { createFileRoute } from '@tanstack/react-router';
import { useCallback } from 'react';
import type { Choice } from '../features/signup/plan-choice.tsx';
import { SignupPage } from '../features/signup/signup-page.tsx';
import { idParam, onlySet } from '../app/search-params.ts';

/** Open to anyone, logged in or not. The chosen plan is in the URL, so that it can be linked to. */
export const Route = createFileRoute('/signup')({
  validateSearch: (search: Record<string, unknown>): Choice =>
    onlySet(search.trial === true ? { trial: true } : { plan: idParam(search.plan) }),
  component: Signup,
});

function Signup() {
  const navigate = Route.useNavigate();
  const onChoice = useCallback((choice: Choice) => void navigate({ search: choice, replace: true, resetScroll: false }), [navigate]);
  return <SignupPage choice={Route.useSearch()} onChoice={onChoice} />;
}
